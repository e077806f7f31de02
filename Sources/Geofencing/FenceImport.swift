/// What files gave: fences that can be used, and all problems of the others.
///
/// A caller takes all or nothing with `get()`, or `fences` alone where a part is better than
/// nothing. A file without any fence is no problem here: whether it may replace a list that has some
/// is for the caller to decide.
public struct FenceImport: Sendable {
  /// The fences without any problem, in the order of the files, with unique ids.
  public let fences: [Fence]
  /// Everything that is wrong, in the order of the files.
  public let problems: [FenceProblem]

  /// The fences, if nothing at all is wrong.
  public func get() throws(FenceImportError) -> [Fence] {
    guard problems.isEmpty else { throw FenceImportError(problems: problems) }
    return fences
  }
}

/// Says that fences were not taken because some of them are wrong.
public struct FenceImportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Never empty.
  public let problems: [FenceProblem]

  /// A line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A file of fences by its name and content.
public struct FenceFile: Sendable {
  public let name: String
  public let bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension FenceImport {
  /// Reads several files as one list: ids are unique among all of them, and each problem names its
  /// file. What begins like JSON is read as GeoJSON, all else as CSV.
  public init(files: [FenceFile]) {
    var reading = FenceReading()
    for file in files {
      reading.file = file.name
      if file.bytes.looksLikeJSON {
        reading.readGeoJSON(file.bytes)
      } else {
        reading.readCSV(file.bytes)
      }
    }
    self = reading.result
  }
}

extension [UInt8] {
  private static var byteOrderMark: [UInt8] { [0xef, 0xbb, 0xbf] }

  fileprivate var looksLikeJSON: Bool {
    let text = starts(with: Self.byteOrderMark) ? dropFirst(3) : self[...]
    let first = text.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// The state of reading one or more files.
struct FenceReading {
  var file: String?
  private var fences: [Fence] = []
  private var problems: [FenceProblem] = []
  private var firstPlaces: [String: FenceProblem.Place] = [:]

  var result: FenceImport { FenceImport(fences: fences, problems: problems) }

  mutating func add(_ fence: Fence) { fences.append(fence) }

  mutating func report(_ problem: FenceProblem) {
    var problem = problem
    problem.file = file
    problems.append(problem)
  }

  /// Takes note of an id; where it was there before, the place of the first.
  mutating func firstPlace(of id: String, item: Int) -> FenceProblem.Place? {
    if let first = firstPlaces[id] { return first }
    firstPlaces[id] = FenceProblem.Place(file: file, item: item)
    return nil
  }
}
