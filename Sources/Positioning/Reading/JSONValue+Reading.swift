import Geo
import JSON

extension NumberReading {
  /// Reads a number of a JSON document. A text that holds one is not taken for it, and `null` is
  /// missing.
  init(_ value: JSONValue?) {
    guard let value, !value.isNull else {
      self = .missing
      return
    }
    if let number = value.double {
      self = .value(number)
    } else {
      let reading = value.withStringBytes { NumberReading($0.span) }
      self = reading == .decimalComma ? .decimalComma : .notANumber
    }
  }
}

extension TimeReading {
  /// Reads ISO 8601 with a zone, or a number in the unit.
  init(_ value: JSONValue?, unit: EpochUnit) {
    guard let value, !value.isNull else {
      self = .missing
      return
    }
    if let number = value.double {
      self.init(epoch: number, unit: unit)
    } else {
      self = value.withStringBytes { TimeReading(iso8601: $0.span) } ?? .malformed
    }
  }
}

extension Dropped {
  /// A line that is no JSON document, where the parser says so.
  init(_ error: JSONSyntaxError, inLineAt position: InputPosition) {
    self.init(
      reason: .malformed,
      position: InputPosition(
        byteOffset: position.byteOffset + error.byteOffset, line: position.line,
        column: error.column),
      detail: error.message)
  }
}

extension UnsafeRawBufferPointer {
  /// Where the first byte is that is no blank.
  var firstNonBlank: UInt8? { first { !$0.isBlank } }
}
