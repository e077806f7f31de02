/// Asks again and again until `condition` holds or `limit` is over; says which.
public func eventually(
  within limit: Duration = .seconds(10), _ condition: () -> Bool
) async -> Bool {
  let deadline = ContinuousClock.now + limit
  while true {
    if condition() { return true }
    if ContinuousClock.now >= deadline { return false }
    do { try await Task.sleep(for: .milliseconds(5)) } catch { return false }
  }
}
