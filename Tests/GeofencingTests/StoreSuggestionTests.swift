import Geo
import Testing

@testable import Geofencing

@Suite struct StoreSuggestionTests {
  let fences = try! FenceSet([
    Ground.fence("ottawa"), Ground.fence("annex", east: 150), Ground.fence("far", north: 9000),
  ])

  func suggestion(
    east: Double, selected: Fence.ID? = "far",
    assigned: Set<Fence.ID> = ["ottawa", "annex", "far"],
    dismissing: [Fence.ID] = []
  ) -> StoreSuggestion? {
    var engine = PresenceEngine(fences: fences)
    let fix = Ground.fix(at: 0, north: 0, east: east)
    let events = engine.events(of: [fix])
    let dismissed = events.filter { dismissing.contains($0.fence) }.compactMap(\.visit)
    return StoreSuggestion.suggest(
      to: engine.presence(of: "D1")!, at: fix.coordinate, selected: selected, assigned: assigned,
      dismissed: Set(dismissed), in: fences)
  }

  @Test func `the store with the smallest normalized distance is suggested`() {
    #expect(suggestion(east: 20)?.store == "ottawa")
    #expect(suggestion(east: 130)?.store == "annex")
  }

  @Test func `nothing is suggested inside the selected store, or outside of all`() {
    #expect(suggestion(east: 130, selected: "ottawa") == nil)
    #expect(suggestion(east: -2000) == nil)
  }

  @Test func `only assigned stores are suggested`() {
    #expect(suggestion(east: 20, assigned: ["annex"])?.store == "annex")
    #expect(suggestion(east: 20, assigned: ["far"]) == nil)
  }

  @Test func `a dismissal holds for the visit to that store`() {
    #expect(suggestion(east: 20, dismissing: ["ottawa"]) == nil)
    #expect(suggestion(east: 20, dismissing: ["annex"])?.store == "ottawa")
  }

  @Test func `a dismissed suggestion returns with the next visit`() {
    var engine = PresenceEngine(fences: try! FenceSet([Ground.fence()]))
    let first = engine.events(of: [Ground.fix(at: 0, north: 0)])
    let visit = first[0].visit!
    _ = engine.events(of: [Ground.fix(at: 100, north: 600), Ground.fix(at: 120, north: 600)])
    let back = Ground.fix(at: 300, north: 0)
    _ = engine.events(of: [back])
    let again = StoreSuggestion.suggest(
      to: engine.presence(of: "D1")!, at: back.coordinate, selected: nil, assigned: ["S"],
      dismissed: [visit], in: engine.fences)
    #expect(again?.store == "S")
  }
}
