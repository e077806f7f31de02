import Glibc

/// A pipe whose reading end any thread can make readable, so that another wakes from its `poll`.
struct WakeSignal: ~Copyable, Sendable {
  /// The end to poll.
  let descriptor: Int32
  private let writing: Int32

  init() throws(LiveProblem) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(operation: "pipe", errno: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Makes the descriptor readable until `drain`; a full pipe is readable already.
  func raise() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Makes the descriptor unreadable again.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) > 0 {}
    }
  }
}
