import Foundation
import TestSupport
import Testing

@Suite struct FencesCommandTests {
  let folder = try! TemporaryFolder()
  var database: String { folder.path("fences.db") }

  func fences(_ arguments: [String]) throws -> Program.Result {
    try Program.run(["fences"] + arguments)
  }

  func importing(_ text: String, _ more: [String] = []) throws -> Program.Result {
    try fences(
      ["import", "--database", database] + more + [folder.write(text, to: "import.geojson")])
  }

  @Test func `what is imported is listed, exported and found`() throws {
    #expect(try importing(Samples.fences).exitCode == 0)
    let listed = try fences(["list", "--database", database])
    #expect(listed.output.contains("Corner Store"))
    #expect(listed.output.contains("circle of 200 m"))
    let exported = try fences(["export", "--database", database])
    let again = try folder.write(exported.output, to: "again.geojson")
    let same = try fences(["list", "--json", again]).output
    #expect(try same == fences(["list", "--json", "--database", database]).output)
    #expect(same.contains("\"radiusMeters\":200"))
    let near = try fences([
      "near", "--database", database, "--lat", "48.01", "--lng", "11", "--json",
    ])
    #expect(near.lines.count == 2)
    #expect(near.lines[0].contains("\"id\":\"S\""))
    #expect(near.lines[0].contains("\"inside\":false"))
  }

  @Test func `containing ends with 1 where nothing contains`() throws {
    let file = try folder.write(Samples.fences, to: "fences.geojson")
    let inside = try fences(["containing", "--fences", file, "--lat", "48.001", "--lng", "11.0"])
    #expect(inside.exitCode == 0)
    #expect(inside.output.contains("Corner Store"))
    #expect(try fences(["containing", file, "--lat", "-45.4", "--lng", "-75.7"]).exitCode == 1)
    #expect(try fences(["containing", file, "--lat", "95", "--lng", "11"]).exitCode == 2)
  }

  @Test func `a wrong item stops the whole import and is named, unless a part is asked for`() throws
  {
    let broken = """
      {"type":"FeatureCollection","features":[
       {"type":"Feature","id":"A","geometry":{"type":"Point","coordinates":[11,48]},"properties":{}},
       {"type":"Feature","id":"B","geometry":{"type":"Point","coordinates":[11,48]},
        "properties":{"radiusMeters":-5}}]}
      """
    let refused = try importing(broken)
    #expect(refused.exitCode == 3)
    #expect(refused.errors.contains("fence 2 (B)"))
    #expect(try fences(["list", "--json", "--database", database]).lines.isEmpty)
    let partial = try importing(broken, ["--partial"])
    #expect(partial.exitCode == 3)
    #expect(try fences(["list", "--json", "--database", database]).lines.count == 1)
  }

  @Test func `an empty replacement needs its flag`() throws {
    let empty = "{\"type\":\"FeatureCollection\",\"features\":[]}"
    #expect(try importing(Samples.fences).exitCode == 0)
    let refused = try importing(empty, ["--replace"])
    #expect(refused.exitCode == 3)
    #expect(try fences(["list", "--json", "--database", database]).lines.count == 2)
    #expect(try importing(empty, ["--replace", "--allow-empty"]).exitCode == 0)
    #expect(try fences(["list", "--json", "--database", database]).lines.isEmpty)
  }

  @Test func `lint ends with 1 where something is wrong, and says what to do`() throws {
    let good = try folder.write(Samples.fences, to: "good.geojson")
    #expect(try fences(["lint", good]).exitCode == 0)
    let small = try folder.write(
      Samples.fences.replacing("\"radiusMeters\":200", with: "\"radiusMeters\":40"),
      to: "small.geojson")
    let result = try fences(["lint", small, "--json"])
    #expect(result.exitCode == 1)
    #expect(result.output.contains("\"code\":\"small_radius\""))
    let csv = try folder.write("id,name,lat,lng\nX,Swapped,-75.7,145.4\n", to: "list.csv")
    #expect(try fences(["lint", csv]).exitCode == 0)
    let broken = try folder.write("id,name,lat,lng\nX,Bad,95.7,45.4\n", to: "broken.csv")
    #expect(try fences(["lint", broken]).output.contains("latitude 95.7"))
  }

  @Test func `shipped fences have no findings`() throws {
    let shipped = SharedFiles.checkout.appending(path: "fences").path
    let result = try fences(["lint", shipped])
    #expect(result.exitCode == 0, "\(result.output)")
  }
}
