import Foundation

/// A folder that is removed when nobody holds it any more.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "persistence-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  func file(_ name: String = "doorstep.db") -> String { path + "/" + name }
}

/// Runs `body` as files see somebody who may not do everything: the tests may run as root.
func withoutPrivileges<Result>(_ body: () throws -> Result) rethrows -> Result {
  guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return try body() }
  let setFileUser = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
  let nobody: UInt32 = 65_534
  _ = setFileUser(nobody)
  defer { _ = setFileUser(0) }
  return try body()
}
