import Foundation

/// The recordings and cases that stand beside a checkout, in `../shared`, where there are any.
public enum SharedFiles {
  /// The checkout's own folder.
  public static let checkout = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of `name` below `../shared`, or nil, and a note that a test is skipped, where it is
  /// not there.
  public static func path(_ name: String) -> String? {
    let url = checkout.deletingLastPathComponent().appending(path: "shared/\(name)")
    return FileManager.default.fileExists(atPath: url.path) ? url.path : nil
  }

  /// Whether the recordings are there at all.
  public static var areThere: Bool { path("traces") != nil }
}
