import Foundation
import Persistence
import TestSupport
import Testing

@Suite struct DatabaseLocationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `it is below the data folder, of which the missing part is made`() throws {
    let path = try DatabaseLocation.default(environment: ["XDG_DATA_HOME": folder.path + "/a/b"])
    #expect(path == folder.path + "/a/b/doorstep/doorstep.db")
    #expect(try mode(folder.path + "/a") == 0o700)
    #expect(try mode(folder.path + "/a/b/doorstep") == 0o700)
    _ = try Database(path: path)
    #expect(
      try DatabaseLocation.default(environment: ["XDG_DATA_HOME": folder.path + "/a/b"]) == path)
  }

  @Test(arguments: [nil, "", "relative/path"])
  func `without an absolute data folder it is below the home folder`(data: String?) throws {
    var environment = ["HOME": folder.path]
    environment["XDG_DATA_HOME"] = data
    #expect(
      try DatabaseLocation.default(environment: environment)
        == folder.path + "/.local/share/doorstep/doorstep.db")
  }

  @Test func `a folder that cannot be made is named`() throws {
    try Data().write(to: URL(filePath: folder.path("file")))
    let error = try #require(throws: DatabaseError.self) {
      try DatabaseLocation.default(environment: ["XDG_DATA_HOME": folder.path("file")])
    }
    #expect(error.reason == .notPermitted)
    #expect(error.message.hasPrefix(folder.path("file/doorstep")))
  }

  @Test func `without a home it says what to set`() throws {
    let error = try #require(throws: DatabaseError.self) {
      try DatabaseLocation.default(environment: [:])
    }
    #expect(error.reason == .homeMissing)
    #expect(error.description.contains("neither XDG_DATA_HOME nor HOME"))
  }
}
