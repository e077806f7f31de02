/// Asks again and again until `condition` holds or `limit` is over; says which.
///
/// A busy machine can let the limit pass between two questions, so it asks at least 400 times.
public func eventually(
  within limit: Duration = .seconds(10), _ condition: () -> Bool
) async -> Bool {
  let deadline = ContinuousClock.now + limit
  var questions = 0
  while true {
    if condition() { return true }
    questions += 1
    if questions >= 400, ContinuousClock.now >= deadline { return false }
    do { try await Task.sleep(for: .milliseconds(5)) } catch { return false }
  }
}
