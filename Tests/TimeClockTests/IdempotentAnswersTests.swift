import Geo
import Persistence
import TestSupport
import Testing

@testable import TimeClock

@Suite struct IdempotentAnswersTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let answers: IdempotentAnswers

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    answers = IdempotentAnswers(database: database)
  }

  private static func request(
    _ body: String = "{}", user: Int = 7, route: String = "POST ou00/clock/in", key: String = "k1"
  ) -> IdempotentAnswers.Request {
    .init(.init(user: user, route: route, key: key), body: body.utf8)
  }

  private static func answer(_ text: String, status: Int = 200) -> IdempotentAnswers.Answer {
    .init(status: status, body: Array(text.utf8))
  }

  /// A clock-in whose answer tells the punch's id.
  private static func clockIn(
    _ database: Database, at time: Timestamp = noon
  ) throws -> IdempotentAnswers.Answer {
    let punch = try PunchClock(database: database).record(
      ClockFixture.attempt(.clockIn), at: ClockFixture.report(now: time))
    return answer("punch \(punch.id) at \(time)", status: 201)
  }

  @Test func `a repeat after a lost answer gets the first answer and makes no second punch`() throws
  {
    let first = try answers.answer(Self.request(), now: noon) { try Self.clockIn(database) }
    #expect(!first.isRepeat)
    let later = noon.advanced(bySeconds: 3600)
    let again = try answers.answer(Self.request(), now: later) {
      try Self.clockIn(database, at: later)
    }
    #expect(again.isRepeat)
    #expect(again.status == 201)
    #expect(again.body == first.body)
    #expect(try PunchRepository(database: database).punches(of: 1).count == 1)
  }

  @Test func `two at once with one key make one punch and get one answer`() async throws {
    let path = folder.path("doorstep.db")
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for number in 0..<20 {
        group.addTask {
          let database = try Database(path: path, busyMilliseconds: 30_000)
          let time = noon.advanced(bySeconds: Double(number))
          return try IdempotentAnswers(database: database).answer(Self.request(), now: time) {
            try Self.clockIn(database, at: time)
          }.body
        }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(bodies.count == 1)
    #expect(try PunchRepository(database: database).punches(of: 1).count == 1)
  }

  @Test func `one key with another body is refused, and nothing is done`() throws {
    _ = try answers.answer(Self.request("{\"lat\":1}"), now: noon) { Self.answer("first") }
    let error = #expect(throws: IdempotentAnswers.Mismatch.self) {
      try answers.answer(Self.request("{\"lat\":2}"), now: noon) { Self.answer("second") }
    }
    #expect(error?.code == "IDEMPOTENCY_MISMATCH")
  }

  @Test func `keys of other users and other routes are others`() throws {
    let requests = [
      Self.request(), Self.request(user: 8), Self.request(route: "POST ou00/clock/out"),
      Self.request(route: "POST pa00/clock/in"), Self.request(key: "k2"),
    ]
    for (index, request) in requests.enumerated() {
      let answer = try answers.answer(request, now: noon) { Self.answer("\(index)") }
      #expect(answer == Self.answer("\(index)"))
    }
  }

  @Test func `a refusal is not kept, so that the corrected request works under its key`() throws {
    let outside = ClockFixture.report(at: ClockFixture.north250, now: noon)
    #expect(throws: PunchError.self) {
      try answers.answer(Self.request("far"), now: noon) {
        _ = try PunchClock(database: database).record(ClockFixture.attempt(.clockIn), at: outside)
        return Self.answer("")
      }
    }
    for status in [199, 300, 400, 409, 503] {
      let answer = try answers.answer(Self.request("far"), now: noon) {
        Self.answer("no", status: status)
      }
      #expect(answer.status == status)
    }
    let fixed = try answers.answer(Self.request("near"), now: noon) { try Self.clockIn(database) }
    #expect(fixed.status == 201)
    #expect(!fixed.isRepeat)
  }

  @Test func `an answer is repeated for 7 days and then forgotten`() throws {
    _ = try answers.answer(Self.request(), now: noon) { Self.answer("first") }
    let limit = noon.advanced(bySeconds: 7 * 86_400)
    #expect(try answers.forgetExpired(now: limit) == 0)
    #expect(try answers.answer(Self.request(), now: limit) { Self.answer("") }.isRepeat)
    let after = limit.advanced(byMilliseconds: 1)
    let second = try answers.answer(Self.request("other"), now: after) { Self.answer("second") }
    #expect(second == Self.answer("second"))
    #expect(try answers.forgetExpired(now: after) == 0)
    #expect(try answers.forgetExpired(now: after.advanced(bySeconds: 8 * 86_400)) == 1)
  }
}
