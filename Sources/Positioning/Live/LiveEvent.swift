import Geo

/// What a live source has to say, in the order in which it happened.
public enum LiveEvent: Equatable, Sendable {
  /// The source speaks; the text names it for a person, as in `gpsd 3.22 at localhost:2947`.
  case connected(String)
  /// The source is gone, or could not be reached; it is tried again after `retryAfter`, or, where
  /// that is nil, no more.
  case disconnected(LiveProblem, retryAfter: Duration?)
  /// What the source's decoder found, and when its last byte came.
  case decoded(Decoded, receivedAt: Timestamp)
  /// The last fix of a subject (nil where the source names none) is no longer where it is now.
  case fixLost(SubjectID?, because: FixLoss)
  /// Nothing follows: the input is at its end, or the source is not to be tried again.
  case ended
}

/// Why a fix that was current is so no more, other than by its source's own word.
public enum FixLoss: String, Equatable, Sendable {
  /// The way to the source broke.
  case disconnected
  /// The daemon lives, but says that it has lost the device.
  case deviceGone = "device_gone"
  /// The source is there, and has given no fix for too long.
  case silent
}
