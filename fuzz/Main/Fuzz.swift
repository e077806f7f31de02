import CLibFuzzer
import FuzzTargets
import Glibc

/// The target that this run feeds; set once before the driver starts.
nonisolated(unsafe) private var target = FuzzTarget.allCases[0]

/// Runs libFuzzer on the target that the first argument names, with the other arguments as its own;
/// without one lists the targets and the names of their corpora.
func fuzz() -> CInt {
  var arguments = CommandLine.unsafeArgv
  var count = CommandLine.argc
  guard count > 1, let name = arguments[1].map({ String(cString: $0) }) else {
    for target in FuzzTarget.allCases { print(target.rawValue, target.corpus) }
    return 0
  }
  guard let named = FuzzTarget(rawValue: name) else {
    print("there is no target \(name)")
    return 2
  }
  target = named
  // The driver takes the word after the program's name for its own first argument.
  arguments[1] = arguments[0]
  arguments += 1
  count -= 1
  return LLVMFuzzerRunDriver(&count, &arguments, feed)
}

private func feed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  if let broken = target.brokenPromise(bytes) { fatalError(broken) }
  return 0
}
