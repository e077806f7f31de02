import CommandLineArguments
import Testing

@Suite struct DurationFormatTests {
  private func duration(_ text: String) -> Duration? {
    (try? Sample.arguments("check --lat 1 --age=\(text)"))?[Sample.age]
  }

  @Test(arguments: [
    ("90s", Duration.seconds(90)), ("15m", .seconds(900)), ("2h", .seconds(7200)),
    ("30d", .seconds(2_592_000)), ("250ms", .milliseconds(250)), ("1.5h", .seconds(5400)),
    ("1h30m", .seconds(5400)), ("0s", .zero), (".5s", .milliseconds(500)),
    ("365250d", .seconds(31_557_600_000)),
  ])
  func `a number and its unit are a duration`(text: String, expected: Duration) {
    #expect(duration(text) == expected)
  }

  @Test(arguments: [
    "", "90", "s", "-5s", "1h30", "1 h", "1w", "1S", "1.2.3s", "1e3s", "365251d", "infs", "nans",
    ".s", "5sm", "99999999999999999999999999d",
  ])
  func `anything else is none`(text: String) { #expect(duration(text) == nil) }
}
