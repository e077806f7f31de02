import Geo
import Positioning

/// What every decoder promises: the chunking never shows, no number is not one, and no more comes
/// out than went in.
func decoderPromise<Decoder: FixDecoder>(
  _ bytes: UnsafeRawBufferPointer, _ makeDecoder: () -> Decoder
) -> String? {
  var whole: [Decoded] = []
  var decoder = makeDecoder()
  decoder.decode(bytes, into: &whole)
  decoder.finish(into: &whole)

  var chunked: [Decoded] = []
  decoder = makeDecoder()
  var start = 0
  // Sizes from 0 to 22 in an order that the input itself chooses, never 0 twice in a row.
  var size = bytes.count
  while start < bytes.count {
    size = size == 0 ? 1 : (size &* 5 &+ Int(bytes[start]) &+ 3) % 23
    let end = min(start + size, bytes.count)
    decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: &chunked)
    start = end
  }
  decoder.finish(into: &chunked)

  if chunked != whole {
    let first = zip(whole, chunked).first { $0 != $1 }.map { "\($0) or \($1)" }
    return "whole: \(whole.count) results, in chunks: \(chunked.count); first difference: "
      + (first ?? "their number")
  }
  if whole.count > bytes.count + 2 { return "\(whole.count) results of \(bytes.count) bytes" }
  for case .fix(let decoded) in whole {
    let fix = decoded.fix
    let numbers = [fix.accuracy?.meters, fix.altitude?.meters, fix.speed?.metersPerSecond]
    if !numbers.allSatisfy({ $0?.isFinite ?? true }) { return "a number is none: \(fix)" }
  }
  return nil
}
