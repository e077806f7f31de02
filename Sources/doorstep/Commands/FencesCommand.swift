import CommandLineArguments
import Foundation
import Geo
import Geofencing
import JSON
import Persistence

/// `doorstep fences`: keeps the fences, asks them, and checks files of them.
enum FencesCommand {
  static let command = Command(
    "fences", "imports, lists, searches, checks and exports fences",
    subcommands: [
      FencesImportCommand.command, listCommand, nearCommand, containingCommand,
      FencesLintCommand.command, exportCommand,
    ])

  private static let files = Positional<[String]>.repeated(
    .file("FILE"), "files or folders of fences; without any, those of the database")
  private static let json = Option<Bool>.flag("json", "print NDJSON")
  private static let latitude = Option<Double>.required(
    "lat", .number("DEGREES"), "latitude, degrees north")
  private static let longitude = Option<Double>.required(
    "lng", .number("DEGREES"), "longitude, degrees east")
  private static let limit = Option<Int>.defaulting(
    "limit", .integer("COUNT", atLeast: 1), to: "10", "tell at most so many")
  private static let reach = Option<Double?>.optional(
    "within", .number("METERS", atLeast: 0), "only those whose edge is no farther than this")

  private static let listCommand = Command(
    "list", "lists the fences",
    parameters: [files, json] + FenceSource.parameters
  ) { arguments in
    let fences = try FenceSource(arguments, more: arguments[files]).load(allowingNone: true)
    var output = FenceListOutput(asJSON: arguments[json])
    for fence in fences.fences.sorted(by: { $0.id < $1.id }) { output.add(fence) }
    try output.finish()
    return ExitCode.done
  }

  private static let nearCommand = Command(
    "near", "tells the fences nearest to a position, and the way to go",
    examples: [
      .init("doorstep fences near --fences fences --lat 45.42 --lng -75.70", "the nearest ten")
    ],
    parameters: [files, latitude, longitude, limit, reach, json] + FenceSource.parameters
  ) { arguments in
    let coordinate = try position(arguments)
    let fences = try FenceSource(arguments, more: arguments[files]).load()
    let found = fences.near(
      coordinate, within: arguments[reach].map { .meters($0) }, limit: arguments[limit])
    return try tell(found, asJSON: arguments[json])
  }

  private static let containingCommand = Command(
    "containing", "tells the fences that a position lies in; ends with 1 where there is none",
    examples: [
      .init(
        "doorstep fences containing --fences fences --lat 45.4272 --lng -75.6919",
        "which stores is this?")
    ],
    parameters: [files, latitude, longitude, json] + FenceSource.parameters
  ) { arguments in
    let coordinate = try position(arguments)
    let fences = try FenceSource(arguments, more: arguments[files]).load()
    return try tell(fences.containing(coordinate), asJSON: arguments[json])
  }

  private static let exportCommand = Command(
    "export", "prints the fences as one GeoJSON FeatureCollection",
    examples: [.init("doorstep fences export > fences.geojson", "those of the database")],
    parameters: [files] + FenceSource.parameters
  ) { arguments in
    let fences = try FenceSource(arguments, more: arguments[files]).load(allowingNone: true)
    var output = StandardOutput()
    try output.write(FenceGeoJSON.write(fences.fences.sorted { $0.id < $1.id }))
    try output.flush()
    return ExitCode.done
  }

  private static func position(_ arguments: Arguments) throws -> Coordinate {
    let (latitude, longitude) = (arguments[latitude], arguments[longitude])
    if let coordinate = Coordinate(latitude: latitude, longitude: longitude) { return coordinate }
    let problems = FixProblem.problems(
      latitude: latitude, longitude: longitude, accuracyMeters: nil)
    throw CommandFailure.usage(
      "--lat \(latitude) --lng \(longitude) is no position: "
        + problems.map(\.rawValue).joined(separator: ", "))
  }

  private static func tell(_ matches: [FenceSet.Match], asJSON: Bool) throws -> Int32 {
    var output = FenceListOutput(asJSON: asJSON, showsDistance: true)
    for match in matches { output.add(match) }
    try output.finish()
    return matches.isEmpty ? ExitCode.no : ExitCode.done
  }
}
