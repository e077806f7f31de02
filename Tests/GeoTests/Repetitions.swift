import Foundation

/// How many times as much is tried: 1, or 20 where `DOORSTEP_LONG_TESTS=1`.
let repetitions = ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1" ? 20 : 1
