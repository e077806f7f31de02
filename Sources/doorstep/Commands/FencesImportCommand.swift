import CommandLineArguments
import Geofencing
import Geo
import Persistence

/// `doorstep fences import FILE...`: puts fences into the database.
enum FencesImportCommand {
  private static let files = Positional<[String]>.repeated(
    .file("FILE"), atLeast: 1, "GeoJSON or CSV files, or folders of them")
  private static let replace = Option<Bool>.flag(
    "replace", "remove fences of the database that the files do not have")
  private static let partial = Option<Bool>.flag(
    "partial", "take the right fences of files that have wrong ones too")
  private static let allowEmpty = Option<Bool>.flag(
    "allow-empty", "with --replace: let files without any fence remove all")

  static let command = Command(
    "import", "puts fences into the database, all or nothing",
    discussion: """
      A fence whose id is known replaces the old one; others are added. Every wrong item is named, \
      and nothing is changed unless --partial is given.
      """,
    examples: [
      .init("doorstep fences import --replace fences", "the folder's fences and no other")
    ],
    parameters: [files, replace, partial, allowEmpty] + FenceSource.databaseParameters
  ) { arguments in
    let found = FenceImport(files: try FenceFiles.read(arguments[files]))
    for problem in found.problems { Diagnostics.note("\(problem)") }
    if !found.problems.isEmpty, !arguments[partial] {
      throw CommandFailure.badInput(
        "nothing was imported: \(found.problems.count) problems; --partial takes the right ones")
    }
    let repository = FenceRepository(database: try FenceSource.openDatabase(arguments))
    let changes: FenceRepository.Changes
    do {
      if arguments[replace] {
        changes = try repository.replaceAll(
          with: found.fences, allowingEmpty: arguments[allowEmpty], at: .now)
      } else {
        changes = try repository.upsert(found.fences, at: .now)
      }
    } catch let error as FenceRepository.ReplacementError {
      throw CommandFailure.badInput("\(error)")
    } catch {
      throw CommandFailure.outside("\(error)")
    }
    for finding in FenceLinter.findings(in: found.fences) { Diagnostics.note("\(finding)") }
    try StandardOutput.write(
      "\(found.fences.count) fences read, \(changes.written) written, \(changes.deleted) removed, "
        + "\(try repository.count()) in the database\n")
    return found.problems.isEmpty ? ExitCode.done : ExitCode.badInput
  }
}
