import Geo
import Glibc

/// Reads a stream of bytes for as long as the loop lives, and opens it again when it was lost.
struct ByteSource {
  let address: LiveSource.Address

  /// What ended the reading.
  private enum End {
    case cancelled
    /// Nothing follows.
    case finished
    case lost(LiveProblem)
  }

  func run(_ loop: LiveLoop) {
    var opener = ByteStreamOpener(address: address)
    while !loop.isCancelled {
      let problem: LiveProblem
      do {
        guard var stream = try opener.open(loop) else { return }
        loop.connected(stream.description)
        switch read(&stream, loop) {
        case .cancelled, .finished: return
        case .lost(let found): problem = found
        }
      } catch {
        problem = error
      }
      guard loop.waitToRetry(after: problem) else { return }
    }
  }

  private func read(_ stream: inout ByteStream, _ loop: LiveLoop) -> End {
    var decoder = LiveDecoder(
      userRangeError: loop.userRangeError, takesAnyFormat: address == .standardInput)
    var output: [Decoded] = []
    var receivedAt = loop.now()
    func deliver(_ output: inout [Decoded]) {
      loop.deliver(output, receivedAt: receivedAt)
      output.removeAll(keepingCapacity: true)
    }
    func take(_ bytes: UnsafeRawBufferPointer) {
      receivedAt = loop.now()
      decoder.decode(bytes, receivedAt: receivedAt, into: &output)
      loop.heard()
      deliver(&output)
    }
    stream.alreadyRead.withUnsafeBytes { if !$0.isEmpty { take($0) } }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { buffer.deallocate() }
    var hasHeldBack = true
    var hasAsked = false
    while true {
      loop.endSilentFixes()
      let pause = hasHeldBack ? loop.patience.epoch : .milliseconds(500)
      switch loop.channel.wait(for: stream.descriptor.number, timeout: pause) {
      case .cancelled: return .cancelled
      case .timedOut:
        decoder.flush(into: &output)
        deliver(&output)
        hasHeldBack = false
        continue
      case .ready: break
      }
      let count = Glibc.read(stream.descriptor.number, buffer.baseAddress, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        decoder.finish(at: loop.now(), into: &output)
        deliver(&output)
        if count < 0 { return .lost(stream.kind.problem(code)) }
        guard loop.reconnects, let problem = stream.kind.problemOfEnd else { return .finished }
        return .lost(problem)
      }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      hasHeldBack = true
      if decoder.isOfGPSD, !hasAsked, case .network = stream.kind {
        // A gpsd says nothing of its devices until it is asked.
        hasAsked = true
        let request = GPSDClient.watchAll
        _ = send(stream.descriptor.number, request, request.utf8.count, Int32(MSG_NOSIGNAL))
      }
    }
  }
}
