import Geo

/// The moments at which subjects fall silent, soonest first.
///
/// A subject stands in it at most once. A later fix does not move it: what is due is checked, and
/// put back where it was early, so a fix costs nothing here.
struct SilenceQueue: Sendable {
  private struct Item: Sendable {
    let deadline: Timestamp
    let subject: SubjectID

    func comes(before other: Item) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : subject < other.subject
    }
  }

  /// A binary heap: the children of i are 2i + 1 and 2i + 2.
  private var heap: [Item] = []
  private var queued: Set<SubjectID> = []

  /// Puts a subject in, unless it is in already.
  mutating func insert(_ subject: SubjectID, deadline: Timestamp) {
    guard queued.insert(subject).inserted else { return }
    heap.append(Item(deadline: deadline, subject: subject))
    var index = heap.count - 1
    while index > 0, heap[index].comes(before: heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes out the subject of the soonest deadline, and that, if it is not after `now`.
  mutating func popDue(at now: Timestamp) -> (subject: SubjectID, deadline: Timestamp)? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    queued.remove(first.subject)
    let last = heap.removeLast()
    if heap.isEmpty { return (first.subject, first.deadline) }
    heap[0] = last
    var index = 0
    while true {
      var soonest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].comes(before: heap[soonest]) {
        soonest = child
      }
      if soonest == index { return (first.subject, first.deadline) }
      heap.swapAt(index, soonest)
      index = soonest
    }
  }
}
