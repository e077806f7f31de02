import CommandLineArguments

/// Every command of the program, from which parsing, help and shell completion come.
enum CommandTree {
  static let version = "0.1.0"

  static let root: Command = Command(
    "doorstep",
    "tells whether a device is at the store, from the positions it reports",
    discussion: """
      Positions come from a recorded trace (NMEA, GPX, CSV, NDJSON or gpsd's JSON), from a GPS \
      receiver, or from a running gpsd. Fences are the stores: circles or polygons in a GeoJSON or \
      CSV file, or in doorstep's own database.
      """,
    examples: [
      .init(
        "doorstep replay --fences fences samples/commute.nmea",
        "when did this recording arrive at which store?"),
      .init(
        "doorstep watch --fences fences gpsd://localhost",
        "the same, live, from a running gpsd"),
      .init(
        "doorstep check --fences fences --store ottawa --lat 45.4272 --lng -75.6919 --accuracy 8",
        "may somebody standing here clock in?"),
    ],
    exitCodes: ExitCode.documented,
    version: "doorstep \(version)",
    subcommands: [
      DecodeCommand.command,
      ReplayCommand.command,
      WatchCommand.command,
      EventsCommand.command,
      CheckCommand.command,
      FencesCommand.command,
      ServeCommand.command,
      AdminCommand.command,
      SimulateCommand.command,
      CompletionCommand.command,
    ])
}
