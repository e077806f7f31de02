import CommandLineArguments
import Foundation
import Geofencing
import Persistence

/// Where a command takes its fences from: files and folders, or the database.
struct FenceSource {
  private static let files = Option<[String]>.repeated(
    "fences", .file("FILE"),
    "GeoJSON or CSV file of fences, or a folder of them")
  private static let databasePath = Option<String?>.optional(
    "database", .file("FILE"),
    "doorstep's database; by default below the user's data folder")

  /// The options that a command with fences has.
  static let parameters: [any Parameter] = [files, databasePath]
  /// The option of a command that only knows the database.
  static let databaseParameters: [any Parameter] = [databasePath]

  private let paths: [String]
  private let database: String?

  /// Reads the options; `more` are paths that were given in another place.
  init(_ arguments: Arguments, more: [String] = []) {
    paths = arguments[FenceSource.files] + more
    database = arguments[FenceSource.databasePath]
  }

  /// Whether fences come from files rather than from the database.
  var isFiles: Bool { !paths.isEmpty }

  /// The fences, all of them right, with unique ids; a database may have none only where that is
  /// an answer too.
  func load(allowingNone: Bool = false) throws -> FenceSet {
    let fences: [Fence]
    if isFiles {
      do { fences = try readFiles().get() } catch let error as FenceImportError {
        throw CommandFailure.badInput("\(error)")
      }
    } else {
      fences = try storedFences(allowingNone: allowingNone)
    }
    do { return try FenceSet(fences) } catch { throw CommandFailure.badInput("\(error)") }
  }

  /// What the files hold, good and bad.
  func readFiles() throws(CommandFailure) -> FenceImport {
    FenceImport(files: try FenceFiles.read(paths))
  }

  private func storedFences(allowingNone: Bool) throws -> [Fence] {
    let repository = FenceRepository(database: try openDatabase())
    let fences = try repository.all().map(\.fence)
    if fences.isEmpty, !allowingNone {
      throw CommandFailure.badInput(
        "there are no fences yet: give --fences FILE, or import some with 'doorstep fences import'")
    }
    return fences
  }

  /// Opens the database, making it where it is not there.
  func openDatabase() throws -> Database {
    try FenceSource.openDatabase(at: database)
  }

  /// Opens the database that a command names, or the user's own.
  static func openDatabase(_ arguments: Arguments) throws -> Database {
    try openDatabase(at: arguments[databasePath])
  }

  /// The path of the database that a command names, or of the user's own.
  static func databasePath(_ arguments: Arguments) throws(DatabaseError) -> String {
    if let path = arguments[databasePath] { return path }
    return try DatabaseLocation.default(environment: Diagnostics.environment)
  }

  private static func openDatabase(at path: String?) throws -> Database {
    do {
      return try Database(
        path: path ?? DatabaseLocation.default(environment: Diagnostics.environment))
    } catch {
      throw CommandFailure.outside("\(error)")
    }
  }
}
