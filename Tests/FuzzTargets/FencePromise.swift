import Geofencing

/// Fences that were read are written as the same fences, can be looked over, and make a set.
func fencePromise(_ read: FenceImport) -> String? {
  for problem in read.problems where problem.line.map({ $0 < 1 }) ?? false {
    return "a problem at line \(problem.line ?? 0)"
  }
  let written = FenceGeoJSON.write(read.fences)
  let again = FenceGeoJSON.read(written)
  if let problem = again.problems.first { return "cannot read again: \(problem)" }
  if again.fences != read.fences {
    return "written as others: \(String(decoding: written, as: UTF8.self))"
  }
  _ = FenceLinter.findings(in: read)
  do throws(FenceSet.DuplicateID) {
    _ = try FenceSet(read.fences)
  } catch {
    return error.description
  }
  return nil
}
