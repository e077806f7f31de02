import Geo

/// An area with an id, a name and settings; a store's is a circle of 200 m.
public struct Fence: Hashable, Sendable, Identifiable {
  /// A fence's id, unique in its set; equal only byte for byte.
  public struct ID: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    public static func == (a: ID, b: ID) -> Bool {
      a.rawValue.utf8.elementsEqual(b.rawValue.utf8)
    }
    public static func < (a: ID, b: ID) -> Bool {
      a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(utf8Of: rawValue) }
  }

  /// What a fence covers.
  public enum Area: Hashable, Sendable {
    /// All within `radius` of `center`, the edge included.
    case circle(center: Coordinate, radius: Distance)
    case polygons(MultiPolygon)
  }

  /// How a fence decides; every default is that of the engine.
  public struct Settings: Hashable, Sendable {
    /// How far beyond the edge a subject must be before it can have left.
    public var exitBuffer: Distance = .meters(50)
    /// How long a visit lasts before `dwelled` is told; nil tells none.
    public var dwellSeconds: Double?
    /// Whether `passed` is told where a straight way cuts the fence with no fix inside.
    public var passed = false
    /// The least probability of being inside that makes a fix eligible, in [0, 1].
    public var minimumConfidence = 0.0

    public init() {}
  }

  /// The radius of a circle whose source gives none: 200 m.
  public static let defaultRadius = Distance.meters(200)

  public let id: ID
  public var name: String
  public var area: Area
  /// The IANA name of the store's time zone; nil where unknown.
  public var timeZone: String?
  public var settings: Settings

  public init(
    id: ID, name: String? = nil, area: Area, timeZone: String? = nil,
    settings: Settings = Settings()
  ) {
    self.id = id
    self.name = name ?? id.rawValue
    self.area = area
    self.timeZone = timeZone
    self.settings = settings
  }
}
