import API
import CommandLineArguments
import Foundation
import Geo
import Geofencing
import JSON

/// `doorstep check`: one eligibility answer, or one for each line of standard input.
enum CheckCommand {
  private static let store = Option<String?>.optional("store", .text("ID"), "the store's fence")
  private static let latitude = Option<Double?>.optional(
    "lat", .number("DEGREES"), "latitude of the position, degrees north")
  private static let longitude = Option<Double?>.optional(
    "lng", .number("DEGREES"), "longitude of the position, degrees east")
  private static let accuracy = Option<Double?>.optional(
    "accuracy", .number("METERS"),
    "radius that holds the true position with 68 % probability; 0 or absent is unknown")
  private static let age = Option<Double>.defaulting(
    "age", .number("SECONDS"), to: "0", "how old the position is")
  private static let simulated = Option<Bool>.flag(
    "simulated", "the position is flagged as simulated by its platform")
  private static let json = Option<Bool>.flag("json", "print the answer as JSON")

  static let command = Command(
    "check", "tells whether somebody at a position may clock in at a store",
    discussion: """
      Without a position, reads requests from standard input, one JSON object a line, and answers \
      each with a line: store, lat, lng, accuracyMeters, and ageSeconds, or time with sentAt. A \
      position that is refused has an answer too, which names what is wrong with it.
      """,
    examples: [
      .init(
        "doorstep check --fences fences --store ottawa --lat 45.4272 --lng -75.6919 --accuracy 8",
        "one answer for a person; ends with 0 where eligible, 1 where not"),
      .init(
        "doorstep check --fences fences --json < requests.ndjson", "an answer for every line"),
    ],
    parameters: FenceSource.parameters + [
      store, latitude, longitude, accuracy, age, simulated, json,
    ]
  ) { arguments in
    let fences = try FenceSource(arguments).load()
    let now = Timestamp.now
    if arguments[latitude] == nil, arguments[longitude] == nil {
      guard arguments[json] else {
        throw CommandFailure.usage(
          "give a position with --lat and --lng, or --json to answer requests from standard input")
      }
      return try answerLines(with: fences, now: now)
    }
    guard arguments[latitude] != nil, arguments[longitude] != nil else {
      throw CommandFailure.usage("--lat and --lng belong together: give both")
    }
    guard let id = arguments[store] else { throw CommandFailure.usage("give the --store") }
    guard arguments[age].isFinite else { throw CommandFailure.usage("--age is too large") }
    let report = EligibilityRequest.report(
      latitude: arguments[latitude], longitude: arguments[longitude],
      accuracyMeters: arguments[accuracy], time: now.advanced(bySeconds: -arguments[age]),
      isSimulated: arguments[simulated])
    guard
      let answer = fences.eligibility(at: Fence.ID(id), of: report, in: .init(now: now))
    else { throw CommandFailure.badInput(unknown(id, in: fences)) }
    if arguments[json] {
      var line = JSONWriter()
      line.object { json in
        json.member("store", id)
        answer.writeMembers(to: &json)
      }
      try StandardOutput.write(line.text + "\n")
    } else {
      try StandardOutput.write(
        EligibilityText.sentence(answer, store: fences[Fence.ID(id)]?.name ?? id) + "\n")
    }
    return answer.isEligible ? ExitCode.done : ExitCode.no
  }

  static func unknown(_ id: String, in fences: FenceSet) -> String {
    let some = fences.fences.prefix(5).map(\.id.rawValue).joined(separator: ", ")
    return "there is no fence \"\(id)\""
      + (some.isEmpty
        ? ": there are no fences at all"
        : "; there are \(some)"
          + (fences.count > 5 ? " and \(fences.count - 5) more" : ""))
  }

  private static func answerLines(with fences: FenceSet, now: Timestamp) throws -> Int32 {
    var output = StandardOutput()
    var parser = JSONParser()
    var number = 0
    var refused = 0
    var answer = JSONWriter()
    try StandardInput.forEachLine { line in
      number += 1
      answer.removeAll()
      do throws(APIError) {
        guard case .bytes(let line) = line else {
          throw APIError(.validationError, "a request has at most 1 MiB")
        }
        if line.allSatisfy({ $0 == 32 || $0 == 13 || $0 == 9 }) { return }
        let (store, eligibility) = try judge(line, with: fences, now: now, parser: &parser)
        answer.object { json in
          json.member("store", store.rawValue)
          eligibility.writeMembers(to: &json)
        }
      } catch {
        refused += 1
        APIError(error.code, "line \(number): \(error.message)").write(to: &answer)
      }
      answer.endLine()
      try output.write(answer.bytes)
    } pause: {
      // Whoever asks line by line waits for the answer before asking on.
      try output.flush()
    }
    try output.flush()
    if refused > 0 { Diagnostics.complain("\(refused) of \(number) lines could not be answered") }
    return ExitCode.done
  }

  private static func judge(
    _ line: [UInt8], with fences: FenceSet, now: Timestamp, parser: inout JSONParser
  ) throws(APIError) -> (Fence.ID, Eligibility) {
    let request: EligibilityRequest
    do throws(EligibilityRequest.Problem) {
      request = try EligibilityRequest(line, now: now, parser: &parser)
    } catch {
      throw APIError(.validationError, "\(error)")
    }
    guard request.stores.count == 1, let store = request.stores.first else {
      throw APIError(.validationError, "\"store\" is missing, or no string")
    }
    let answer = fences.eligibility(at: store, of: request.report, in: request.circumstances)
    guard let answer else { throw APIError(.notFound, unknown(store.rawValue, in: fences)) }
    return (store, answer)
  }
}
