import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Replays what the fuzzer starts from and what it found: `fuzz/corpus` and `fuzz/findings`.
struct FuzzFindingsTests {
  /// The files of one target, in order of their names.
  private func files(of target: FuzzTarget) throws -> [URL] {
    try ["corpus/\(target.corpus)", "findings/\(target.rawValue)"].flatMap { name in
      let folder = SharedFiles.checkout.appending(path: "fuzz/\(name)")
      guard FileManager.default.fileExists(atPath: folder.path) else { return [URL]() }
      return try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      ).sorted { $0.path < $1.path }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `every input of the fuzzer keeps every promise`(_ target: FuzzTarget) throws {
    let files = try files(of: target)
    #expect(!files.isEmpty, "fuzz/corpus/\(target.corpus) has nothing to start from")
    for file in files {
      let bytes = try Data(contentsOf: file)
      // Also cut short anywhere, as a stream may end.
      for count in Set([bytes.count, bytes.count / 2, bytes.count * 9 / 10, 0]) {
        let broken = bytes.prefix(count).withUnsafeBytes { target.brokenPromise($0) }
        #expect(broken == nil, "\(file.lastPathComponent), \(count) bytes")
      }
    }
  }
}
