import Geo
import TestSupport
import Testing

@Suite struct BoxTests {
  private let karney = Karney()

  @Test(arguments: Region.allCases, [0.5, 200, 5000, 300_000, 9_000_000, 19_500_000])
  func `a circle's boxes miss no coordinate within its radius`(_ region: Region, _ radius: Double) {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<200 * repetitions {
      let center = region.center(using: &generator)
      let boxes = Box.boxes(around: center, radius: .meters(radius))
      #expect((1...2).contains(boxes.count))
      for azimuth in stride(from: 0.0, to: 360, by: 15) {
        let point = karney.end(center, azimuth: azimuth, meters: radius * (1 - 1e-9))
        #expect(boxes.contains { $0.contains(point) })
      }
      #expect(boxes.contains { $0.contains(center) })
    }
  }

  @Test(arguments: [200.0, 5000, 100_000])
  func `a circle's boxes are at most a percent wider than it`(_ radius: Double) {
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<300 {
      let center = Coordinate(
        Double.random(in: -80...80, using: &generator),
        Double.random(in: -170...170, using: &generator))
      let boxes = Box.boxes(around: center, radius: .meters(radius))
      #expect(boxes.count == 1)
      let box = boxes[0]
      #expect(karney.meters(Coordinate(box.north, center.longitude), center) < radius * 1.01)
      #expect(karney.meters(Coordinate(box.south, center.longitude), center) < radius * 1.01)
      // The meridian of the eastern edge passes the circle by no more than that.
      let nearest = stride(from: box.south, through: box.north, by: (box.north - box.south) / 400)
        .map { karney.meters(Coordinate($0, box.east), center) }.min()!
      #expect(nearest > radius * 0.9999)
      #expect(nearest < radius * 1.01)
    }
  }

  @Test func `a circle at the antimeridian has a box on either side`() {
    let boxes = Box.boxes(around: Coordinate(0, 179.999), radius: .meters(200))
    #expect(boxes.count == 2)
    #expect(boxes.contains { $0.contains(Coordinate(0, 179.9985)) })
    #expect(boxes.contains { $0.contains(Coordinate(0, -180)) })
    #expect(boxes.contains { $0.contains(Coordinate(0, -179.9995)) })
    #expect(!boxes.contains { $0.contains(Coordinate(0, 0)) })
  }

  @Test func `a circle that holds a pole has all longitudes, one beside it has not`() {
    // 0.001 degrees of latitude are 111.69 m there.
    let holding = Box.boxes(around: Coordinate(89.999, 30), radius: .meters(112.5))
    #expect(holding.count == 1)
    #expect(holding[0].west == -180 && holding[0].east == 180 && holding[0].north == 90)
    let beside = Box.boxes(around: Coordinate(89.999, 30), radius: .meters(110))
    #expect(beside.allSatisfy { $0.east - $0.west < 180 && $0.north < 90 })
  }

  @Test func `a polygon's boxes hold its edges, and little else`() throws {
    let across = try Ring(corners: [
      Coordinate(-17, 178), Coordinate(-17, -179), Coordinate(-16, -179), Coordinate(-16, 178),
    ])
    #expect(Box.boxes(around: across).map(\.west) == [178, -180])
    #expect(Box.boxes(around: across).map(\.east) == [180, -179])
    // The antimeridian itself is on the western side.
    let beside = try Ring(corners: [Coordinate(0, 170), Coordinate(0, 180), Coordinate(10, 175)])
    #expect(Box.boxes(around: beside).contains { $0.contains(Coordinate(0, 180)) })
    let plain = try Ring(corners: [Coordinate(1, 2), Coordinate(3, 4), Coordinate(5, -1)])
    let box = Box.boxes(around: plain)[0]
    #expect([box.south, box.west, box.north, box.east] == [1, -1, 5, 4])
    let polar = try Ring(corners: [Coordinate(-70, 0), Coordinate(-80, 120), Coordinate(-75, -120)])
    let cap = Box.boxes(around: polar)[0]
    #expect([cap.south, cap.west, cap.north, cap.east] == [-90, -180, -70, 180])
  }

  @Test(arguments: Region.allCases)
  func `nothing in a box is nearer than its bound, and the bound is near`(_ region: Region) {
    var generator = SeededGenerator(seed: 23)
    for index in 0..<200 {
      let anchor = region.center(using: &generator)
      let radius = [300.0, 50_000, 3_000_000][index % 3]
      for box in Box.boxes(around: anchor, radius: .meters(radius)) {
        let point =
          Bool.random(using: &generator)
          ? Region.anywhere.center(using: &generator)
          : karney.end(
            anchor, azimuth: Double.random(in: 0...360, using: &generator), meters: 3 * radius)
        let bound = box.lowerBound(ofDistanceFrom: point).meters
        var nearest = Double.infinity
        for row in 0...20 {
          for column in 0...20 {
            let inside = Coordinate(
              box.south + (box.north - box.south) * Double(row) / 20,
              min(180, box.west + (box.east - box.west) * Double(column) / 20))
            nearest = min(nearest, karney.meters(inside, point))
          }
        }
        #expect(bound <= nearest + 1e-6)
        let spacing = radius * 0.3
        #expect(bound >= nearest * 0.993 - spacing)
      }
    }
  }
}
