import Geo
import Geofencing
import TestSupport
import Testing

@Suite struct FenceCSVTests {
  private func read(_ text: String) -> FenceImport { FenceCSV.read(Array(text.utf8)) }

  @Test func `quotes, line ends, order and names of columns may vary`() throws {
    let fences = try read(
      "\u{feff}Longitude, LAT ,name,ID,radius_m,x,time_zone\r\n"
        + "11,48,\"Shop \"\"A\"\", north\",S1,150.5,junk,Europe/Berlin\r\n"
        + "\r\n"
        + "-75.5, +45.25 ,\"two\nlines\",S2,,,\r"
        + "1.1e1,4.8e1,\"\",\" S3 \",,,"
    ).get()
    #expect(fences.map(\.id.rawValue) == ["S1", "S2", "S3"])
    #expect(fences.map(\.name) == ["Shop \"A\", north", "two\nlines", "S3"])
    #expect(fences.map(\.timeZone) == ["Europe/Berlin", nil, nil])
    let place = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect(fences[0].area == .circle(center: place, radius: .meters(150.5)))
    #expect(fences[2].area == .circle(center: place, radius: .meters(200)))
  }

  @Test func `the documented header is read`() throws {
    let fences = try read("id,name,lat,lng,radiusMeters,timeZone\nS,Shop,48,11,200,Europe/Berlin\n")
      .get()
    #expect(fences.count == 1)
    #expect(fences.first?.name == "Shop")
    #expect(try read("id,lat,lng").get().isEmpty)
  }

  @Test(arguments: [
    ("S,95.5123,-191.2693,", ["lat_out_of_range lat 2:3", "lng_out_of_range lng 2:11"]),
    ("S,-120,48,", ["lat_out_of_range lat 2:3", "looks_swapped lat 2:3"]),
    ("S,NaN,inf,", ["not_a_number lat 2:3", "not_a_number lng 2:7"]),
    ("S,0x10,1e999,", ["not_a_number lat 2:3", "not_a_number lng 2:8"]),
    ("S,,11,", ["missing lat 2:3"]),
    ("S,\"48,0001\",11,", ["decimal_comma lat 2:3"]),
    ("S,48,11,\"150,5\"", ["decimal_comma radiusMeters 2:9"]),
    ("S,48,0001,11,0001,", ["wrong_field_count  2:1"]),
    ("S,48,11", ["wrong_field_count  2:1"]),
    ("S,48,11,0", ["radius_out_of_range radiusMeters 2:9"]),
    ("S,48,11,-5", ["radius_out_of_range radiusMeters 2:9"]),
    ("S,48,11,1e9", ["radius_out_of_range radiusMeters 2:9"]),
    (",48,11,", ["empty_id id 2:1"]),
    (
      " ,98,11,0",
      [
        "empty_id id 2:1", "lat_out_of_range lat 2:3", "looks_swapped lat 2:3",
        "radius_out_of_range radiusMeters 2:9",
      ]
    ),
    ("é\"x\",48,11,", ["malformed  2:2"]),
    ("\"S\"x,48,11,", ["malformed  2:4"]),
  ])
  func `every problem of a row is told with its column`(_ row: String, _ gives: [String]) {
    let header = "id,lat,lng,radiusMeters"
    let read = read("\(header)\n\(row)\ngood,48,11,\n")
    #expect(
      read.problems.map { "\($0.code) \($0.field ?? "") \($0.line ?? 0):\($0.column ?? 0)" }
        == gives)
    #expect(read.problems.allSatisfy { $0.item == 1 })
    #expect(read.fences.map(\.id.rawValue) == ["good"])
  }

  @Test func `an id that was there before is told with its first place`() {
    let read = read("id,lat,lng\nA,48,11\nB,48,11\nA,47,11")
    #expect(read.problems.map(\.code) == ["duplicate_id"])
    #expect(read.problems.first?.item == 3)
    #expect(read.problems.first?.line == 4)
    #expect(read.problems.first?.message == "the id belongs to fence 1 already")
    #expect(read.fences.map(\.id.rawValue) == ["A", "B"])
  }

  @Test(arguments: [
    ("", ["malformed "]), ("\n\n", ["malformed "]), ("id,name", ["missing lat", "missing lng"]),
    ("name,lat,lng", ["missing id"]), ("id,lat,lng,latitude", ["duplicate_column lat"]),
    ("id;name;lat;lng\nS;Shop;48,5;11,5", ["semicolons "]),
    ("\"id,lat,lng\nS,48,11", ["malformed "]),
  ])
  func `a header that is none is told, and no row is read`(_ text: String, _ gives: [String]) {
    let read = read(text)
    #expect(read.problems.map { "\($0.code) \($0.field ?? "")" } == gives)
    #expect(read.fences.isEmpty)
  }

  @Test func `other encodings are named`() {
    var wide: [UInt8] = [0xff, 0xfe]
    for unit in "id,lat,lng".utf16 { wide += [UInt8(unit & 255), UInt8(unit >> 8)] }
    #expect(FenceCSV.read(wide).problems.map(\.code) == ["wrong_encoding"])
    let latin = Array("id,name,lat,lng\n1,caf".utf8) + [0xe9] + Array(",48,11\n2,x,48,11\n".utf8)
    let read = FenceCSV.read(latin)
    #expect(read.problems.map(\.code) == ["wrong_encoding"])
    #expect(read.problems.first?.line == 2)
    #expect(read.problems.first?.column == 3)
    #expect(read.fences.map(\.id.rawValue) == ["2"])
  }

  @Test func `quotes that do not end are told where they begin`() {
    let read = read("id,lat,lng\n1,48,11\n\"2,48,11\n3,48,11\n")
    #expect(read.problems.map(\.code) == ["malformed"])
    #expect(read.problems.first?.line == 3)
    #expect(read.problems.first?.item == 2)
    #expect(read.fences.map(\.id.rawValue) == ["1"])
  }

  @Test func `a line of any number of fields is read in linear time`() {
    let commas = String(repeating: ",", count: 100_000)
    #expect(read("id,lat,lng\(commas)\nS,48,11\(commas)\nT,48,11\n").fences.count == 1)
  }

  @Test func `mutated files never crash, and a refusal of a row names it`() {
    var random = SeededGenerator(seed: 7)
    let seed = Array(
      "id,name,lat,lng,radiusMeters,timeZone\r\nS,\"a \"\"b\"\"\",48,11,200,\nT,,1.5,-2.5,,Europe/Berlin"
        .utf8)
    let alphabet = Array("\",;\r\n0123.-eéaST ".utf8)
    var sound = 0
    for _ in 0..<5000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.insert(alphabet.randomElement(using: &random)!, at: at)
        case 1: bytes.remove(at: at)
        default: bytes[at] = alphabet.randomElement(using: &random)!
        }
      }
      let read = FenceCSV.read(bytes)
      if read.problems.isEmpty { sound += 1 }
      for problem in read.problems {
        #expect(problem.line != nil || problem.code == "malformed")
        #expect(problem.item != nil || read.fences.isEmpty)
      }
    }
    #expect(sound > 100)
  }
}
