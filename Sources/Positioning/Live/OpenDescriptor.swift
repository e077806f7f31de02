import Glibc

/// A descriptor that is closed with its last reference.
final class OpenDescriptor {
  let number: Int32
  private let atClose: (Int32) -> Void

  /// Takes `number` over; `atClose` is called just before it is closed.
  init(_ number: Int32, atClose: @escaping (Int32) -> Void = { _ in }) {
    self.number = number
    self.atClose = atClose
  }

  deinit {
    atClose(number)
    close(number)
  }
}
