import API
import Foundation
import Geo
import HTTP
import Identity
import JSON
import Persistence
import Synchronization

/// Decides by API keys who may do what, from memory: no request waits for the disk.
///
/// The keys in memory follow those of the database within a second or two.
final class APIKeyring: Sendable {
  /// The keys as they were at a revision.
  struct Keys: Sendable {
    let revision: Int
    let byHash: [[UInt8]: StoredAPIKey]
  }

  /// What a request may do, once it is let in.
  struct Admission: Sendable {
    /// The only subject that it may speak of; nil where it may of all.
    let subject: SubjectID?
    /// The hash of the key that let it in; nil where none was needed.
    fileprivate let hash: [UInt8]?
  }

  private struct State {
    var keys: Keys
    /// Keys that were used, and not yet marked so in the database.
    var used: Set<Int> = []
    var markedAt: [Int: Timestamp] = [:]
  }

  private let state: Mutex<State>
  /// Whether everybody is let in while there is no key at all, which only a loopback address allows.
  private let opensWithoutKeys: Bool
  /// How exactly the last use of a key is known.
  private static let lastUseSeconds = 300.0

  init(keys: Keys, opensWithoutKeys: Bool) {
    state = Mutex(State(keys: keys))
    self.opensWithoutKeys = opensWithoutKeys
  }

  /// Whether everybody is let in at present.
  var isOpen: Bool { opensWithoutKeys && state.withLock { $0.keys.byHash.isEmpty } }

  var revision: Int { state.withLock { $0.keys.revision } }

  func replace(by keys: Keys) { state.withLock { $0.keys = keys } }

  /// Lets a request in that may do what `scope` says; the key stands in `Authorization`, as a bearer
  /// token or as the password of basic authentication.
  func admit(_ request: HTTPRequest, for scope: APIScope) throws(APIError) -> Admission {
    if isOpen { return Admission(subject: nil, hash: nil) }
    guard let credential = request.headers[.authorization].flatMap(Self.credential) else {
      throw APIError(.unauthorized, "An API key is needed: Authorization: Bearer doorstep_...")
    }
    guard let hash = APIKey(credential)?.hash else { throw Self.unknown }
    let key: StoredAPIKey? = state.withLock { state in
      let key = state.keys.byHash[hash]
      if let key, key.revokedAt == nil { state.used.insert(key.id) }
      return key
    }
    guard let key else { throw Self.unknown }
    guard key.revokedAt == nil else {
      throw APIError(.unauthorized, "This API key was revoked.") { json in
        json.member("reason", IdentityError.Reason.revoked.rawValue)
      }
    }
    guard key.scopes.contains(scope) else {
      throw APIError(.forbidden, "This API key does not have the scope '\(scope.rawValue)'.")
    }
    return Admission(subject: key.subject, hash: hash)
  }

  /// Whether one who was let in would be so still, for what lasts longer than a request.
  func stillAdmits(_ admission: Admission) -> Bool {
    guard let hash = admission.hash else { return isOpen }
    return state.withLock { $0.keys.byHash[hash].map { $0.revokedAt == nil } ?? false }
  }

  /// The keys whose use is to be marked in the database now.
  func takeUsed(at now: Timestamp) -> [Int] {
    state.withLock { state in
      let due = state.used.filter { id in
        state.markedAt[id].map { now.seconds(since: $0) >= Self.lastUseSeconds } ?? true
      }
      for id in due { state.markedAt[id] = now }
      state.used.subtract(due)
      return due.sorted()
    }
  }

  private static let unknown = APIError(.unauthorized, "There is no such API key.")

  private static func credential(_ field: String) -> Secret? {
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return Secret(String(parts[1]))
    case "basic":
      guard let data = Data(base64Encoded: String(parts[1])),
        let text = String(validating: data, as: UTF8.self),
        let colon = text.firstIndex(of: ":")
      else { return nil }
      return Secret(String(text[text.index(after: colon)...]))
    default: return nil
    }
  }
}
