import Geo

/// Attempts to sign in that did not succeed, for as long as they count against further ones.
///
/// An attempt is written before its password is looked at, and taken back where it was right, so
/// that many at once count as many one after another do.
package struct SignInAttemptRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// What is known about an attempt that is about to be made.
  package struct Count: Hashable, Sendable {
    /// Attempts of this account from this address, and when the last of them was.
    package let ofPair: Int
    package let lastOfPair: Timestamp?
    /// Attempts of any account from this address.
    package let fromAddress: Int
    /// When the oldest of the newest `addressLimit` from this address was; nil where there are fewer.
    package let limitingOfAddress: Timestamp?
    /// Attempts of this account from anywhere.
    package let ofAccount: Int

    package init(
      ofPair: Int, lastOfPair: Timestamp?, fromAddress: Int, limitingOfAddress: Timestamp?,
      ofAccount: Int
    ) {
      self.ofPair = ofPair
      self.lastOfPair = lastOfPair
      self.fromAddress = fromAddress
      self.limitingOfAddress = limitingOfAddress
      self.ofAccount = ofAccount
    }
  }

  /// Counts the attempts since `pairSince` of the pair, and since `since` of address and account.
  package func count(
    account: [UInt8], address: String, pairSince: Timestamp, since: Timestamp, addressLimit: Int
  ) throws(DatabaseError) -> Count {
    let (account, address) = (DatabaseValue.bytes(account), DatabaseValue.text(address))
    var last: Timestamp?
    try database.rows(
      "SELECT max(at) FROM sign_in_attempts WHERE account = ? AND address = ? AND at > ?",
      [account, address, DatabaseValue(pairSince)]
    ) { row throws(DatabaseError) in last = row.timestampIfAny(0) }
    var limiting: Timestamp?
    try database.rows(
      """
      SELECT at FROM sign_in_attempts WHERE address = ? AND at > ?
      ORDER BY at DESC LIMIT 1 OFFSET ?
      """, [address, DatabaseValue(since), DatabaseValue(addressLimit - 1)]
    ) { row throws(DatabaseError) in limiting = try row.timestamp(0) }
    return Count(
      ofPair: try database.integer(
        "SELECT count(*) FROM sign_in_attempts WHERE account = ? AND address = ? AND at > ?",
        [account, address, DatabaseValue(pairSince)]),
      lastOfPair: last,
      fromAddress: try database.integer(
        "SELECT count(*) FROM sign_in_attempts WHERE address = ? AND at > ?",
        [address, DatabaseValue(since)]),
      limitingOfAddress: limiting,
      ofAccount: try database.integer(
        "SELECT count(*) FROM sign_in_attempts WHERE account = ? AND at > ?",
        [account, DatabaseValue(since)]))
  }

  package func add(account: [UInt8], address: String, at now: Timestamp) throws(DatabaseError) {
    try database.run(
      "INSERT INTO sign_in_attempts (account, address, at) VALUES (?, ?, ?)",
      [.bytes(account), .text(address), DatabaseValue(now)])
  }

  /// Takes back all attempts of an account from an address, since one of them succeeded.
  package func clear(account: [UInt8], address: String) throws(DatabaseError) {
    try database.run(
      "DELETE FROM sign_in_attempts WHERE account = ? AND address = ?",
      [.bytes(account), .text(address)])
  }

  package func forget(before: Timestamp) throws(DatabaseError) {
    try database.run("DELETE FROM sign_in_attempts WHERE at < ?", [DatabaseValue(before)])
  }
}
