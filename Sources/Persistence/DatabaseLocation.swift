import Glibc

/// Where the database is, where nobody says otherwise.
package enum DatabaseLocation {
  /// The path of `doorstep/doorstep.db` below the user's data folder, of which all that is missing
  /// is made, for its owner alone.
  ///
  /// The data folder is `XDG_DATA_HOME` where that is absolute, else `~/.local/share` (XDG Base
  /// Directory Specification).
  package static func `default`(environment: [String: String]) throws(DatabaseError) -> String {
    let folder = try dataFolder(environment: environment) + "/doorstep"
    let path = folder + "/doorstep.db"
    var made = ""
    for component in folder.split(separator: "/") {
      made += "/" + component
      if mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
      // Where the folder is there, being refused to make it is no harm.
      let problem = errno
      guard access(made, F_OK) != 0 else { continue }
      throw DatabaseError(
        problem == ENOSPC ? .diskFull : .notPermitted,
        message: "\(made): \(String(cString: strerror(problem)))", path: path)
    }
    return path
  }

  private static func dataFolder(
    environment: [String: String]
  ) throws(DatabaseError) -> String {
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw DatabaseError(.homeMissing, path: "doorstep/doorstep.db")
    }
    return home + "/.local/share"
  }
}
