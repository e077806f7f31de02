import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct WebhookRepositoryTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let webhooks: WebhookRepository

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    webhooks = WebhookRepository(database: database)
  }

  private func settings(_ filter: EventFilter = EventFilter()) -> WebhookRepository.Settings {
    .init(url: "https://example.org/hook", secret: "whisper", filter: filter)
  }

  private static let filters = [
    EventFilter(),
    EventFilter(fences: [Fence.ID("ou00"), Fence.ID("a'b\u{0}c")]),
    EventFilter(subjects: [SubjectID("Käthe"), SubjectID("")], kinds: [.entered]),
    EventFilter(fences: [], subjects: [], kinds: []),
    EventFilter(kinds: Set(FenceEvent.Kind.allCases)),
  ]

  @Test(arguments: filters)
  func `a webhook is read as it was written, an empty filter apart from none`(
    filter: EventFilter
  ) throws {
    let id = try webhooks.add(settings(filter), company: 4, at: noon)
    let stored = try #require(try webhooks.webhook(id))
    #expect(stored.id == id && stored.company == 4 && stored.createdAt == noon)
    #expect(stored.settings == settings(filter))
  }

  @Test func `an update writes over all settings, and nothing else`() throws {
    for before in WebhookRepositoryTests.filters {
      for after in WebhookRepositoryTests.filters {
        let id = try webhooks.add(settings(before), company: 1, at: noon)
        var new = settings(after)
        new.url = "http://other.example/"
        new.secret = "louder"
        new.isEnabled = false
        #expect(try webhooks.update(id, to: new))
        let stored = try #require(try webhooks.webhook(id))
        #expect(stored.settings == new && stored.company == 1 && stored.createdAt == noon)
      }
    }
    #expect(try !webhooks.update(999, to: settings()))
  }

  @Test func `companies see their own`() throws {
    let ids = try [1, 2, 1].map { try webhooks.add(settings(), company: $0, at: noon) }
    #expect(try webhooks.webhooks(of: 1).map(\.id) == [ids[0], ids[2]])
    #expect(try webhooks.webhooks(of: 3).isEmpty)
    #expect(try webhooks.webhooks().map(\.id) == ids)
  }

  @Test func `deleting takes the deliveries along, and the number is not used again`() throws {
    let filter = WebhookRepositoryTests.filters[2]
    let ids = try (0..<2).map { _ in try webhooks.add(settings(filter), company: 1, at: noon) }
    let outbox = OutboxRepository(database: database)
    let subject = SubjectID("D1")
    let event = FenceEvent(
      kind: .passed, subject: subject, fence: Fence.ID("S"), visit: nil, time: noon,
      confirmedAt: noon, rule: .straightWay)
    _ = try PresenceRepository(database: database).record(
      [.init(subject: subject, format: 1, snapshot: [], fromRevision: 0, events: [event])],
      at: noon
    ) { events throws(DatabaseError) in
      try outbox.add(
        ids.map { .init(event: events[0], target: .webhook($0), giveUpAt: noon) }, at: noon)
    }
    #expect(try webhooks.delete(ids[1]))
    #expect(try !webhooks.delete(ids[1]))
    #expect(try webhooks.webhook(ids[1]) == nil)
    #expect(try outbox.due(at: noon, to: .webhook(ids[1]), limit: 9).isEmpty)
    #expect(try outbox.due(at: noon, to: .webhook(ids[0]), limit: 9).count == 1)
    #expect(
      try database.integer("SELECT count(DISTINCT webhook) FROM webhook_filters") == 1)
    #expect(try webhooks.add(settings(), company: 1, at: noon) > ids[1])
  }

  @Test func `a filter admits what each of its parts admits`() {
    let event = FenceEvent(
      kind: .entered, subject: SubjectID("D1"), fence: Fence.ID("S"), visit: nil, time: noon,
      confirmedAt: noon, rule: .twoFixes)
    let yes = EventFilter(fences: [Fence.ID("S")], subjects: [SubjectID("D1")], kinds: [.entered])
    #expect(yes.admits(event) && EventFilter().admits(event))
    var other = yes
    other.fences = [Fence.ID("s")]
    #expect(!other.admits(event))
    other = yes
    other.subjects = []
    #expect(!other.admits(event))
    other = yes
    other.kinds = [.exited]
    #expect(!other.admits(event))
  }
}
