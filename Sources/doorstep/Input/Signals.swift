import Dispatch
import Glibc

/// Calls an action whenever the program gets one of these signals, instead of ending.
struct Signals {
  private let sources: [any DispatchSourceSignal]

  init(_ numbers: [Int32], _ action: @escaping @Sendable () -> Void) {
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler(handler: action)
      source.resume()
      return source
    }
  }

  func ignore() {
    for source in sources { source.cancel() }
  }
}
