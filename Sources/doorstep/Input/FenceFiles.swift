import Foundation
import Geofencing

/// Reads files of fences, and folders of them.
enum FenceFiles {
  /// The bytes of all files, in the order given; of a folder its GeoJSON and CSV files, by name.
  static func read(_ paths: [String]) throws(CommandFailure) -> [FenceFile] {
    var files: [FenceFile] = []
    for path in paths {
      for file in try expanded(path) {
        files.append(FenceFile(name: file, bytes: try WholeFile.read(file)))
      }
    }
    return files
  }

  private static func expanded(_ path: String) throws(CommandFailure) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .badInput("\(path): there is no such file or folder")
    }
    guard isFolder.boolValue else { return [path] }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .badInput("\(path): cannot be read: \(error.localizedDescription)")
    }
    let files = names.filter { name in
      [".geojson", ".json", ".csv"].contains { name.lowercased().hasSuffix($0) }
    }
    if files.isEmpty {
      throw .badInput("\(path): the folder holds no .geojson, .json or .csv file")
    }
    return files.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }
}
