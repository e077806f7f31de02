import Geo
import Geofencing

/// What is to be delivered, a row for each event and target, until it is settled.
///
/// Rows are added in the transaction that records their events (`PresenceRepository.record`), so
/// that after a crash there is neither an event without its deliveries nor the reverse. A row stays
/// pending until its receiver has acknowledged it: a crash in between delivers it twice, under the
/// same id.
package struct OutboxRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// A delivery to be added.
  package struct NewDelivery: Hashable, Sendable {
    package var event: StoredEvent
    package var target: DeliveryTarget
    /// When a further failure is final.
    package var giveUpAt: Timestamp

    package init(event: StoredEvent, target: DeliveryTarget, giveUpAt: Timestamp) {
      self.event = event
      self.target = target
      self.giveUpAt = giveUpAt
    }
  }

  /// How many deliveries a target has in a state.
  package struct Count: Hashable, Sendable {
    package let target: DeliveryTarget
    package let state: StoredDelivery.State
    package let count: Int
  }

  /// Adds deliveries, due at once; one that is known already is passed over.
  package func add(_ deliveries: [NewDelivery], at now: Timestamp) throws(DatabaseError) {
    for delivery in deliveries {
      try database.run(
        """
        INSERT INTO outbox
          (id, target, event, state, attempts, queued_at, give_up_at, next_attempt_at)
        VALUES (?, ?, ?, 'pending', 0, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
        [
          .text(StoredDelivery.id(of: delivery.event.event, to: delivery.target)),
          .text(delivery.target.description), DatabaseValue(delivery.event.sequence),
          DatabaseValue(now), DatabaseValue(delivery.giveUpAt), DatabaseValue(now),
        ])
    }
  }

  /// No delivery waits longer than this for its next attempt: where it seems to, the clock was set
  /// back since, and it is due.
  private static let longestWaitMilliseconds: Int64 = 600_000

  /// The pending deliveries of a target whose time has come, the longest due first.
  ///
  /// Reading them changes nothing, so that what a crash interrupts is due still: a target has one
  /// worker, which knows what it is at.
  package func due(
    at now: Timestamp, to target: DeliveryTarget, limit: Int
  ) throws(DatabaseError) -> [StoredDelivery] {
    let due = try pending(to: target, "next_attempt_at <= ?", now, limit: limit)
    guard due.count < limit else { return due }
    let farthest = now.advanced(byMilliseconds: OutboxRepository.longestWaitMilliseconds)
    return due
      + (try pending(to: target, "next_attempt_at > ?", farthest, limit: limit - due.count))
  }

  private func pending(
    to target: DeliveryTarget, _ condition: String, _ time: Timestamp, limit: Int
  ) throws(DatabaseError) -> [StoredDelivery] {
    try deliveries(
      """
      WHERE target = ? AND state = 'pending' AND \(condition)
      ORDER BY next_attempt_at, event LIMIT ?
      """, [.text(target.description), DatabaseValue(time), DatabaseValue(limit)])
  }

  /// When the next delivery of a target is due of those that aren't yet; nil where there is none.
  package func nextDue(
    after now: Timestamp, to target: DeliveryTarget
  ) throws(DatabaseError) -> Timestamp? {
    var next: Timestamp?
    try database.rows(
      """
      SELECT min(next_attempt_at) FROM outbox
      WHERE target = ? AND state = 'pending' AND next_attempt_at > ?
      """, [.text(target.description), DatabaseValue(now)]
    ) { row throws(DatabaseError) in next = row.timestampIfAny(0) }
    return next
  }

  /// Notes that the receiver has acknowledged a delivery; false where it isn't pending.
  @discardableResult
  package func markDelivered(_ id: String, at now: Timestamp) throws(DatabaseError) -> Bool {
    try database.run(
      """
      UPDATE outbox SET state = 'delivered', attempts = attempts + 1, next_attempt_at = NULL,
        settled_at = ?
      WHERE id = ? AND state = 'pending'
      """, [DatabaseValue(now), .text(id)]) > 0
  }

  /// Notes that an attempt failed, and when the next is due; false where it isn't pending.
  @discardableResult
  package func reschedule(
    _ id: String, to next: Timestamp, error: String
  ) throws(DatabaseError) -> Bool {
    try database.run(
      """
      UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?, last_error = ?
      WHERE id = ? AND state = 'pending'
      """, [DatabaseValue(next), .text(error), .text(id)]) > 0
  }

  /// Gives a delivery up, so that it is a dead letter; false where it isn't pending.
  @discardableResult
  package func markDead(
    _ id: String, at now: Timestamp, error: String
  ) throws(DatabaseError) -> Bool {
    try database.run(
      """
      UPDATE outbox SET state = 'dead', attempts = attempts + 1, next_attempt_at = NULL,
        settled_at = ?, last_error = ?
      WHERE id = ? AND state = 'pending'
      """, [DatabaseValue(now), .text(error), .text(id)]) > 0
  }

  package func delivery(_ id: String) throws(DatabaseError) -> StoredDelivery? {
    try deliveries("WHERE id = ?", [.text(id)]).first
  }

  /// The dead letters of a target in the order of their events, those after an event; at most
  /// `limit`.
  package func deadLetters(
    of target: DeliveryTarget, after sequence: Int = 0, limit: Int
  ) throws(DatabaseError) -> [StoredDelivery] {
    try deliveries(
      "WHERE target = ? AND state = 'dead' AND event > ? ORDER BY event LIMIT ?",
      [.text(target.description), DatabaseValue(sequence), DatabaseValue(limit)])
  }

  /// Makes a dead letter pending again, as if it had never been tried; false where it is none.
  @discardableResult
  package func redeliver(
    _ id: String, at now: Timestamp, giveUpAt: Timestamp
  ) throws(DatabaseError) -> Bool {
    try database.run(
      """
      UPDATE outbox SET state = 'pending', attempts = 0, next_attempt_at = ?, give_up_at = ?,
        settled_at = NULL
      WHERE id = ? AND state = 'dead'
      """, [DatabaseValue(now), DatabaseValue(giveUpAt), .text(id)]) > 0
  }

  /// How many deliveries there are by state and target, the delivered ones left out.
  package func counts() throws(DatabaseError) -> [Count] {
    var counts: [Count] = []
    try database.rows(
      """
      SELECT target, state, count(*) FROM outbox WHERE state = 'dead' GROUP BY target
      UNION ALL
      SELECT target, state, count(*) FROM outbox WHERE state = 'pending' GROUP BY target
      """
    ) { row throws(DatabaseError) in
      counts.append(
        Count(
          target: try row.required(DeliveryTarget(try row.text(0)), 0),
          state: try row.choice(1, as: StoredDelivery.State.self), count: try row.integer(2)))
    }
    return counts
  }

  /// Forgets deliveries that were acknowledged before `limit`, at most so many; returns how many.
  package func deleteDelivered(
    before limit: Timestamp, atMost count: Int
  ) throws(DatabaseError) -> Int {
    try database.run(
      """
      DELETE FROM outbox WHERE id IN (
        SELECT id FROM outbox WHERE state = 'delivered' AND settled_at < ? LIMIT ?)
      """, [DatabaseValue(limit), DatabaseValue(count)])
  }

  private func deliveries(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [StoredDelivery] {
    var deliveries: [StoredDelivery] = []
    try database.rows(
      """
      SELECT sequence, \(EventTable.columns), id, target, state, attempts, queued_at, give_up_at,
        next_attempt_at, settled_at, last_error
      FROM outbox JOIN events ON sequence = event \(condition)
      """, values
    ) { row throws(DatabaseError) in deliveries.append(try storedDelivery(row)) }
    return deliveries
  }
}

private func storedDelivery(_ row: DatabaseRow) throws(DatabaseError) -> StoredDelivery {
  let first: Int32 = 16
  return StoredDelivery(
    id: try row.text(first),
    target: try row.required(DeliveryTarget(try row.text(first + 1)), first + 1),
    event: try EventTable.storedEvent(row),
    state: try row.choice(first + 2, as: StoredDelivery.State.self),
    attempts: try row.integer(first + 3), queuedAt: try row.timestamp(first + 4),
    giveUpAt: try row.timestamp(first + 5), nextAttemptAt: row.timestampIfAny(first + 6),
    settledAt: row.timestampIfAny(first + 7), lastError: row.textIfAny(first + 8))
}
