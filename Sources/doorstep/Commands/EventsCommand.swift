import CommandLineArguments
import Geo
import Geofencing
import Glibc
import JSON
import Persistence

/// `doorstep events`: tells the events that watching has recorded, each exactly once.
enum EventsCommand {
  private static let after = Option<Int>.defaulting(
    "after", .integer("NUMBER", atLeast: 0), to: "0",
    "only those whose sequence number is larger than this")
  private static let json = Option<Bool>.flag("json", "print NDJSON, with the sequence number")

  static let command = Command(
    "events", "tells the events that watching has recorded",
    discussion: """
      What watch prints can get lost with its reader, or when the machine loses power; what it \
      records is in the database before it is printed, and is there once.
      """,
    examples: [
      .init("doorstep events", "all of them"),
      .init("doorstep events --json --after 41", "what came after number 41, for a program"),
    ],
    parameters: [after, json] + FenceSource.databaseParameters
  ) { arguments in
    let database = try FenceSource.openDatabase(arguments)
    let repository = PresenceRepository(database: database)
    let fences = try FenceSet(FenceRepository(database: database).all().map(\.fence))
    let style = Diagnostics.style(of: STDOUT_FILENO)
    let text = EventText(style: style, fences: fences, clock: LocalClock())
    var output = StandardOutput()
    var line = JSONWriter()
    var last = arguments[after]
    while true {
      let stored = try repository.events(after: last, limit: 1000)
      for event in stored {
        last = event.sequence
        guard arguments[json] else {
          try output.line(text.line(event.event, showsSubject: true))
          continue
        }
        line.removeAll()
        event.event.write(to: &line, sequence: event.sequence)
        line.endLine()
        try output.write(line.bytes)
      }
      if stored.isEmpty { break }
    }
    try output.flush()
    return ExitCode.done
  }
}
