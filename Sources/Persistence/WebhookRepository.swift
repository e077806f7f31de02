import Geo
import Geofencing

/// The webhooks of companies.
package struct WebhookRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// A webhook as it is remembered.
  package struct StoredWebhook: Hashable, Sendable, Identifiable {
    package let id: Int
    /// The number of the company whose it is.
    package let company: Int
    package let createdAt: Timestamp
    package let settings: Settings
  }

  /// What can be changed about a webhook.
  package struct Settings: Hashable, Sendable {
    package var url: String
    /// What the deliveries are signed with.
    package var secret: String
    package var filter: EventFilter
    /// One that isn't gets no new deliveries.
    package var isEnabled: Bool

    package init(
      url: String, secret: String, filter: EventFilter = EventFilter(), isEnabled: Bool = true
    ) {
      self.url = url
      self.secret = secret
      self.filter = filter
      self.isEnabled = isEnabled
    }
  }

  /// Adds a webhook, and returns its number, which is never used again.
  package func add(
    _ settings: Settings, company: Int, at now: Timestamp
  ) throws(DatabaseError) -> Int {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO webhooks (url, secret, is_enabled, filters_fences, filters_subjects,
          filters_kinds, company, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, values(settings) + [DatabaseValue(company), DatabaseValue(now)])
      let id = try database.integer("SELECT last_insert_rowid()")
      try writeFilter(settings.filter, of: id)
      return id
    }
  }

  /// Writes over a webhook's settings; false where there is no such webhook.
  @discardableResult
  package func update(_ id: Int, to settings: Settings) throws(DatabaseError) -> Bool {
    try database.transaction { () throws(DatabaseError) in
      let updated = try database.run(
        """
        UPDATE webhooks SET url = ?, secret = ?, is_enabled = ?, filters_fences = ?,
          filters_subjects = ?, filters_kinds = ?
        WHERE id = ?
        """, values(settings) + [DatabaseValue(id)])
      guard updated > 0 else { return false }
      try database.run("DELETE FROM webhook_filters WHERE webhook = ?", [DatabaseValue(id)])
      try writeFilter(settings.filter, of: id)
      return true
    }
  }

  /// Deletes a webhook and all its deliveries; false where there is no such webhook.
  @discardableResult
  package func delete(_ id: Int) throws(DatabaseError) -> Bool {
    try database.transaction { () throws(DatabaseError) in
      let target = DeliveryTarget.webhook(id)
      try database.run("DELETE FROM outbox WHERE target = ?", [.text(target.description)])
      return try database.run("DELETE FROM webhooks WHERE id = ?", [DatabaseValue(id)]) > 0
    }
  }

  package func webhook(_ id: Int) throws(DatabaseError) -> StoredWebhook? {
    try webhooks("WHERE id = ?", [DatabaseValue(id)]).first
  }

  /// All webhooks by their number, or those of one company.
  package func webhooks(of company: Int? = nil) throws(DatabaseError) -> [StoredWebhook] {
    guard let company else { return try webhooks("ORDER BY id", []) }
    return try webhooks("WHERE company = ? ORDER BY id", [DatabaseValue(company)])
  }

  private func webhooks(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [StoredWebhook] {
    var webhooks: [StoredWebhook] = []
    try database.rows(
      """
      SELECT url, secret, is_enabled, filters_fences, filters_subjects, filters_kinds, id, company,
        created_at
      FROM webhooks \(condition)
      """, values
    ) { row throws(DatabaseError) in
      let id = try row.integer(6)
      let settings = Settings(
        url: try row.text(0), secret: try row.text(1),
        filter: EventFilter(
          fences: try row.bool(3)
            ? Set(try filterValues("fence", of: id).map { Fence.ID($0) }) : nil,
          subjects: try row.bool(4)
            ? Set(try filterValues("subject", of: id).map { SubjectID($0) }) : nil,
          kinds: try row.bool(5) ? try kinds(of: id, row) : nil),
        isEnabled: try row.bool(2))
      webhooks.append(
        StoredWebhook(
          id: id, company: try row.integer(7), createdAt: try row.timestamp(8), settings: settings))
    }
    return webhooks
  }

  private func kinds(
    of id: Int, _ row: DatabaseRow
  ) throws(DatabaseError) -> Set<FenceEvent.Kind> {
    var kinds: Set<FenceEvent.Kind> = []
    for name in try filterValues("kind", of: id) {
      kinds.insert(try row.required(FenceEvent.Kind(rawValue: name), 5))
    }
    return kinds
  }

  private func filterValues(_ field: String, of id: Int) throws(DatabaseError) -> [String] {
    var values: [String] = []
    try database.rows(
      "SELECT value FROM webhook_filters WHERE webhook = ? AND field = ?",
      [DatabaseValue(id), .text(field)]
    ) { row throws(DatabaseError) in values.append(try row.text(0)) }
    return values
  }

  private func writeFilter(_ filter: EventFilter, of id: Int) throws(DatabaseError) {
    let values =
      (filter.fences ?? []).map { ("fence", $0.rawValue) }
      + (filter.subjects ?? []).map { ("subject", $0.rawValue) }
      + (filter.kinds ?? []).map { ("kind", $0.rawValue) }
    for (field, value) in values {
      try database.run(
        "INSERT INTO webhook_filters (webhook, field, value) VALUES (?, ?, ?)",
        [DatabaseValue(id), .text(field), .text(value)])
    }
  }
}

private func values(_ settings: WebhookRepository.Settings) -> [DatabaseValue] {
  let filter = settings.filter
  return [
    .text(settings.url), .text(settings.secret), DatabaseValue(settings.isEnabled),
    DatabaseValue(filter.fences != nil), DatabaseValue(filter.subjects != nil),
    DatabaseValue(filter.kinds != nil),
  ]
}
