import Geo

/// Fences of unique ids, indexed by place; a value, so that readers keep the one they hold while
/// another is made.
///
/// Each fence has a slot, a small number that stays its own when the set is replaced by an edited
/// one: whoever tracks subjects refers to fences by slot.
public struct FenceSet: Sendable {
  /// Two fences of one id.
  public struct DuplicateID: Error, Hashable, Sendable, CustomStringConvertible {
    public let id: Fence.ID
    public var description: String { "two fences have the id \"\(id)\": ids must be unique" }
  }

  /// A fence in the set, with what its decisions need computed once.
  struct Entry: Sendable {
    let fence: Fence
    let area: MeasuredArea
    /// When the fence was created or last changed in what it covers or how it decides, and which
    /// of the two; nil for a fence that was there from the start.
    let change: Change?
  }

  struct Change: Hashable, Sendable {
    let time: Timestamp
    let cause: FenceEvent.Cause
    /// The revision of the set that the change made.
    let revision: Int
  }

  /// The entries by slot; nil where the fence was removed.
  private let entries: [Entry?]
  /// The ids by slot, those of removed fences included.
  private let ids: [Fence.ID]
  private let slots: [Fence.ID: Int32]
  private let index: FenceIndex
  /// How many edits led to this set.
  let revision: Int
  /// Whether `passed` is told for any fence.
  let tellsPassing: Bool

  /// When a kept fence was last changed, and by which edit.
  public struct LastChange: Hashable, Sendable {
    public let time: Timestamp
    /// The number of the edit: whoever was judged by this or a later one knows of it.
    public let revision: Int

    public init(time: Timestamp, revision: Int) {
      self.time = time
      self.revision = revision
    }
  }

  /// Makes a set, or throws where two fences share an id. Takes time in proportion to n log n.
  ///
  /// Where fences are kept between runs, `changes` says which edit changed each last and `revision`
  /// how many there were, so that subjects who were judged before an edit are judged by it at their
  /// next fix.
  public init(
    _ fences: [Fence] = [], changes: [Fence.ID: LastChange] = [:], revision: Int = 0
  ) throws(DuplicateID) {
    var slots: [Fence.ID: Int32] = [:]
    slots.reserveCapacity(fences.count)
    for (slot, fence) in fences.enumerated() {
      if slots.updateValue(Int32(slot), forKey: fence.id) != nil {
        throw DuplicateID(id: fence.id)
      }
    }
    let entries = fences.map { fence in
      Entry(
        fence: fence, area: MeasuredArea(fence.area),
        change: changes[fence.id].map {
          Change(time: $0.time, cause: .fenceChanged, revision: $0.revision)
        })
    }
    self.init(entries: entries, ids: fences.map(\.id), slots: slots, revision: revision)
  }

  private init(entries: [Entry?], ids: [Fence.ID], slots: [Fence.ID: Int32], revision: Int) {
    self.revision = revision
    self.entries = entries
    self.ids = ids
    self.slots = slots
    index = FenceIndex(entries)
    tellsPassing = entries.contains { $0?.fence.settings.passed ?? false }
  }

  /// How many fences there are.
  public var count: Int { slots.count }

  /// All fences, in no promised order.
  public var fences: [Fence] { entries.compactMap { $0?.fence } }

  /// The fence of an id; nil where there is none.
  public subscript(id: Fence.ID) -> Fence? { slots[id].flatMap { entries[Int($0)]?.fence } }

  func slot(of id: Fence.ID) -> Int32? { slots[id] }

  /// The entry of a slot; nil where its fence was removed.
  func entry(at slot: Int32) -> Entry? { entries[Int(slot)] }

  /// The id of a slot's fence, even where it was removed.
  func id(at slot: Int32) -> Fence.ID { ids[Int(slot)] }

  /// What differs between two sets, slot by slot.
  struct Edit {
    var removed: [Int32] = []
    var created: [Int32] = []
    var changed: [Int32] = []
  }

  /// The set that holds `fences` from `now` on, and what that changes. A fence that is the same but
  /// for its name or time zone is unchanged.
  func replaced(
    by fences: [Fence], at now: Timestamp, revision given: Int?
  ) throws(DuplicateID) -> (FenceSet, Edit) {
    let next = max(revision + 1, given ?? 0)
    var edit = Edit()
    var entries = self.entries
    var ids = self.ids
    var slots: [Fence.ID: Int32] = [:]
    for fence in fences {
      let slot: Int32
      if let old = self.slots[fence.id], let entry = entries[Int(old)] {
        slot = old
        if entry.fence.area == fence.area, entry.fence.settings == fence.settings {
          entries[Int(slot)] = Entry(fence: fence, area: entry.area, change: entry.change)
        } else {
          edit.changed.append(slot)
          entries[Int(slot)] = Entry(
            fence: fence, area: MeasuredArea(fence.area),
            change: Change(time: now, cause: .fenceChanged, revision: next))
        }
      } else {
        slot = Int32(entries.count)
        edit.created.append(slot)
        ids.append(fence.id)
        entries.append(
          Entry(
            fence: fence, area: MeasuredArea(fence.area),
            change: Change(time: now, cause: .fenceCreated, revision: next)))
      }
      if slots.updateValue(slot, forKey: fence.id) != nil { throw DuplicateID(id: fence.id) }
    }
    for (id, slot) in self.slots where slots[id] == nil {
      edit.removed.append(slot)
      entries[Int(slot)] = nil
    }
    return (
      FenceSet(entries: entries, ids: ids, slots: slots, revision: next), edit
    )
  }

  /// The set with a slot for a fence that was removed before the set was made.
  func reservingSlot(ofRemoved id: Fence.ID) -> (FenceSet, slot: Int32) {
    if let slot = ids.indices.first(where: { ids[$0] == id && entries[$0] == nil }) {
      return (self, Int32(slot))
    }
    return (FenceSet(self, ids: ids + [id], entries: entries + [nil]), Int32(entries.count))
  }

  /// The same fences in the same slots, with slots of removed ones added behind.
  private init(_ set: FenceSet, ids: [Fence.ID], entries: [Entry?]) {
    self.entries = entries
    self.ids = ids
    slots = set.slots
    index = set.index
    revision = set.revision
    tellsPassing = set.tellsPassing
  }

  /// Calls `body` with the slot and the distance in meters of each fence that contains `coordinate`,
  /// in no promised order.
  func forEachContaining(
    _ coordinate: Coordinate, _ body: (_ slot: Int32, _ distanceInMeters: Double) -> Void
  ) {
    // Polygons of several parts have several boxes, which may overlap.
    var told: [Int32] = []
    index.forEachCandidate(at: coordinate) { slot in
      guard let area = entries[Int(slot)]?.area else { return }
      let distance = area.distanceInMeters(to: coordinate)
      guard distance <= area.radiusInMeters else { return }
      if area.hasManyParts {
        if told.contains(slot) { return }
        told.append(slot)
      }
      body(slot, distance)
    }
  }

  /// Calls `body` with each slot whose box meets the box around two coordinates; a fence may come
  /// more than once.
  func forEachCandidate(
    between start: Coordinate, and end: Coordinate, _ body: (_ slot: Int32) -> Void
  ) {
    index.forEachCandidate(between: start, and: end, body)
  }

  /// Calls `body` with slots and `distance` of each, smallest first, until it says false; a fence
  /// may come more than once.
  func visitNearest(
    to coordinate: Coordinate, distance: (Entry) -> Double,
    _ body: (_ slot: Int32, _ distanceInMeters: Double) -> Bool
  ) {
    index.visitNearest(
      to: coordinate, distance: { entries[Int($0)].map(distance) ?? .infinity }, body)
  }

  /// Whether any fence contains a coordinate.
  func contains(_ coordinate: Coordinate) -> Bool {
    var found = false
    forEachContaining(coordinate) { _, _ in found = true }
    return found
  }
}
