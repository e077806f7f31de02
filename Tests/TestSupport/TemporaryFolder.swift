import Foundation

/// A folder of a test's own that any user may enter, removed when nobody holds it any more.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "doorstep-\(UUID())")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    path = url.path
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }
}
