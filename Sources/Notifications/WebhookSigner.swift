import CSodium
import Geo

/// Signs webhook requests, and checks such signatures, as a receiver does.
///
/// The header is
///
///     Doorstep-Signature: t=1772452800,v1=5f8a...
///
/// where `t` is when the request was signed, in seconds since 1970, and `v1` the HMAC-SHA256 (RFC
/// 2104) of `t`, a full stop and the raw body, keyed by the webhook's secret as it was shown, in 64
/// lower-case hexadecimal digits. A receiver computes it over the bytes that it received, compares
/// in constant time, and refuses a `t` that is more than 5 min from its own clock, which is what
/// makes a recorded request worthless later.
package struct WebhookSigner: Sendable {
  package static let headerName = "Doorstep-Signature"

  /// How far a signature's time may be from the receiver's clock.
  package static let toleranceSeconds: Int64 = 300

  /// Why a signature was not accepted.
  package enum Problem: Error, Equatable {
    case malformed
    case outOfTime
    case mismatch
  }

  private let secret: [UInt8]

  package init(secret: String) { self.secret = Array(secret.utf8) }

  /// The header's value for a body that is sent now.
  package func header(for body: [UInt8], at now: Timestamp) -> String {
    let seconds = now.secondsRoundedDown
    return "t=\(seconds),v1=\(hexadecimal(code(of: body, seconds: String(seconds))))"
  }

  /// Accepts a request whose header was made with this secret, for this body, and lately.
  package func verify(
    header: String, body: [UInt8], at now: Timestamp
  ) throws(Problem) {
    var time: Substring?
    var signature: Substring?
    for part in header.split(separator: ",", omittingEmptySubsequences: false) {
      if part.hasPrefix("t="), time == nil {
        time = part.dropFirst(2)
      } else if part.hasPrefix("v1="), signature == nil {
        signature = part.dropFirst(3)
      } else {
        throw .malformed
      }
    }
    guard let time, let signature, let seconds = Int64(time), signature.utf8.count == 64 else {
      throw .malformed
    }
    let expected = Array(hexadecimal(code(of: body, seconds: String(time))).utf8)
    // In a time that tells nothing of where the two differ.
    guard sodium_memcmp(expected, Array(signature.utf8), expected.count) == 0 else {
      throw .mismatch
    }
    let (distance, overflows) = seconds.subtractingReportingOverflow(now.secondsRoundedDown)
    guard !overflows, distance.magnitude <= WebhookSigner.toleranceSeconds else {
      throw .outOfTime
    }
  }

  private func code(of body: [UInt8], seconds: String) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    crypto_auth_hmacsha256_init(&state, secret, secret.count)
    let start = Array("\(seconds).".utf8)
    crypto_auth_hmacsha256_update(&state, start, UInt64(start.count))
    crypto_auth_hmacsha256_update(&state, body, UInt64(body.count))
    var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }
}

extension Timestamp {
  fileprivate var secondsRoundedDown: Int64 {
    millisecondsSince1970 / 1000 - (millisecondsSince1970 % 1000 < 0 ? 1 : 0)
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
