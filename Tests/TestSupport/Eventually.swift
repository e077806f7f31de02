/// Asks again and again until `condition` holds or `limit` is over; says which.
public func eventually(
  within limit: Duration = .seconds(10), _ condition: () throws -> Bool
) async throws -> Bool {
  let deadline = ContinuousClock.now + limit
  while true {
    if try condition() { return true }
    if ContinuousClock.now >= deadline { return false }
    try await Task.sleep(for: .milliseconds(5))
  }
}
