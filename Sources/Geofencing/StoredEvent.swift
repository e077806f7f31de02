/// An event and its number, which rises with each that is recorded and is never used again.
package struct StoredEvent: Hashable, Sendable {
  package let sequence: Int
  package let event: FenceEvent

  package init(sequence: Int, event: FenceEvent) {
    self.sequence = sequence
    self.event = event
  }
}
