import CommandLineArguments
import Geofencing
import Glibc
import JSON

/// `doorstep fences lint FILE...`: says what is wrong with fences, or looks so.
enum FencesLintCommand {
  private static let files = Positional<[String]>.repeated(
    .file("FILE"), "files or folders of fences; without any, those of the database")
  private static let json = Option<Bool>.flag("json", "print findings as NDJSON")

  static let command = Command(
    "lint", "says what is wrong with fences; ends with 1 where something is",
    discussion: """
      Finds what cannot be read, and what can but looks wrong: a radius under 100 m, latitude and \
      longitude exchanged, the same place or id twice, 0, 0, stores that overlap, invalid rings.
      """,
    examples: [.init("doorstep fences lint fences", "all files of the folder")],
    parameters: [files, json] + FenceSource.parameters
  ) { arguments in
    let source = FenceSource(arguments, more: arguments[files])
    let findings =
      source.isFiles
      ? FenceLinter.findings(in: try source.readFiles())
      : FenceLinter.findings(in: try source.load().fences)
    var output = StandardOutput()
    let style = Diagnostics.style(of: STDOUT_FILENO)
    var line = JSONWriter()
    for finding in findings {
      guard arguments[json] else {
        let severity =
          finding.severity == .error ? style.red("error") : style.yellow("warning")
        let place = finding.fence.map { "\($0): " } ?? ""
        try output.line("\(severity): \(place)\(finding.message)")
        continue
      }
      line.removeAll()
      line.object { json in
        json.member("severity", finding.severity.rawValue)
        json.member("code", finding.kind.rawValue)
        json.member("fence", finding.fence?.rawValue)
        if let other = finding.other { json.member("other", other.rawValue) }
        json.member("message", finding.message)
      }
      line.endLine()
      try output.write(line.bytes)
    }
    try output.flush()
    if findings.isEmpty {
      Diagnostics.note("nothing is wrong")
      return ExitCode.done
    }
    return ExitCode.no
  }
}
