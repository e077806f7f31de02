import Glibc

/// Runs `body` on a thread of its own, which ends with it.
///
/// SIGPIPE is blocked there: a peer that is gone is an error of the write, not the end of the
/// program.
func startThread(_ body: @escaping @Sendable () -> Void) throws(LiveProblem) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let code = pthread_create(&thread, &attributes, runThreadBody, box.toOpaque())
  guard code == 0 else {
    box.release()
    throw .system(operation: "pthread_create", errno: code)
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
