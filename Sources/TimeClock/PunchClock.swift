import Geo
import Geofencing
import Persistence

/// The staff clock: judges attempts by what is recorded, and records what it takes.
package struct PunchClock {
  private let database: Database
  private let punches: PunchRepository
  private let rules: ClockRules

  package init(database: Database, rules: ClockRules = ClockRules()) {
    self.database = database
    punches = PunchRepository(database: database)
    self.rules = rules
  }

  /// Takes a punch, or says why not.
  ///
  /// One transaction, or a part of the caller's: of several at once each is judged after what the
  /// others have recorded.
  package func record(
    _ attempt: PunchAttempt, at place: JudgedReport
  ) throws(PunchError) -> StoredPunch {
    try database.transaction(wrapping: PunchError.database) { () throws(PunchError) in
      let history = try history(of: attempt, now: place.judgedAt)
      let punch: Punch
      do throws(PunchRefusal) {
        punch = try rules.judge(attempt, at: place, after: history)
      } catch {
        throw .refused(error)
      }
      return try append(punch, after: history)
    }
  }

  /// Where an employment's clock stands.
  package func state(of employment: Int, now: Timestamp) throws(DatabaseError) -> ClockState {
    ClockState(after: try recent(employment, now: now).lazy.map(\.punch))
  }

  private func history(
    of attempt: PunchAttempt, now: Timestamp
  ) throws(PunchError) -> ClockHistory {
    do throws(DatabaseError) {
      let open = try punches.openShifts(of: attempt.user)
      return ClockHistory(
        punches: try recent(attempt.employment, now: now),
        openElsewhere: open.filter { $0.employment != attempt.employment })
    } catch {
      throw .database(error)
    }
  }

  private func append(
    _ punch: Punch, after history: ClockHistory
  ) throws(PunchError) -> StoredPunch {
    let outcome: PunchRepository.Outcome
    do throws(DatabaseError) {
      outcome = try punches.append(punch, after: history.lastSequence)
    } catch {
      throw .database(error)
    }
    guard case .recorded(let stored) = outcome else {
      throw .refused(.conflict(punch.kind, in: history.state))
    }
    return stored
  }

  private func recent(
    _ employment: Int, now: Timestamp
  ) throws(DatabaseError) -> [StoredPunch] {
    try punches.punches(
      of: employment,
      fromShiftAt: now.advanced(byMilliseconds: -ClockRules.duplicateMilliseconds))
  }
}
