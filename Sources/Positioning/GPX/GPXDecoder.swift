import Geo
import Synchronization

/// Reads the track points of GPX 1.0 and 1.1, in any namespace or none.
///
/// Routes and waypoints are not part of the trace and are passed over. A point without time is
/// dropped as `time_missing` with the line and column of its tag; one whose `fix` is `none` is a
/// `NoFix`; `hdop` gives the accuracy where no `accuracy` does. Speed and course are read in GPX
/// 1.0's place and in extensions. What stands before malformed XML is kept; the malformed place is
/// named once, in expat's words. Encodings are expat's: UTF-8, UTF-16, Latin-1, ASCII.
///
/// A class, since expat's parser has an identity: two names for one decoder share its input.
public final class GPXDecoder: FixDecoder {
  private let parser: Mutex<GPXParser>

  /// - Parameter userRangeError: What one of HDOP is in meters, for the receiver of the trace.
  public init(userRangeError: Distance = .meters(5)) {
    parser = Mutex(GPXParser(userRangeError: userRangeError))
  }

  public func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    parser.withLock { $0.decode(bytes, into: &output) }
  }

  public func finish(into output: inout [Decoded]) {
    parser.withLock { $0.finish(into: &output) }
  }
}
