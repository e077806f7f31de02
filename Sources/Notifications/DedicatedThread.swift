import Glibc

/// An operation of the system that failed where notifications were to start.
package struct NotificationSystemError: Error, Equatable, CustomStringConvertible {
  package let operation: String
  package let code: Int32

  package var description: String {
    "notifications cannot start: \(operation): \(String(cString: strerror(code)))"
  }
}

/// Runs `body` on a thread of its own, which ends with it.
///
/// It gets no signals, which are for the main program; above all not SIGPIPE, for a peer that is
/// gone is an error of the write.
func startThread(_ body: @escaping @Sendable () -> Void) throws(NotificationSystemError) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let code = pthread_create(&thread, &attributes, runThreadBody, box.toOpaque())
  guard code == 0 else {
    box.release()
    throw NotificationSystemError(operation: "pthread_create", code: code)
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  var signals = sigset_t()
  sigfillset(&signals)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
