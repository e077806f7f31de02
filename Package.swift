// swift-tools-version: 6.2

import PackageDescription

/// Every Swift target: Swift 6 mode comes from the tools version; warnings are errors.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "doorstep",
  products: [
    .executable(name: "doorstep", targets: ["doorstep"]),
    .library(name: "Geo", targets: ["Geo"]),
    .library(name: "Geofencing", targets: ["Geofencing"]),
    .library(name: "Positioning", targets: ["Positioning"]),
  ],
  targets: [
    // C: a module map and a shim each, imported by one target.
    .systemLibrary(
      name: "CExpat", path: "Sources/CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CGPSD", path: "Sources/CGPSD", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", path: "Sources/CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(
      name: "CSodium", path: "Sources/CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CJOSE", path: "Sources/CJOSE", pkgConfig: "cjose", providers: [.apt(["libcjose-dev"])]),
    .systemLibrary(
      name: "CMosquitto", path: "Sources/CMosquitto", pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "CSimdJSON", path: "Sources/CSimdJSON",
      cxxSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("simdjson")]),
    // PROJ is the tests' geodesic. The product does not link it, and a build of the product alone
    // is not to ask pkg-config for it.
    .systemLibrary(name: "CProj", path: "Sources/CProj"),

    // Values.
    .target(name: "Geo", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "JSON", dependencies: ["CSimdJSON"], swiftSettings: strict),

    // Rules.
    .target(name: "Geofencing", dependencies: ["Geo", "JSON"], swiftSettings: strict),

    // Edges.
    .target(
      name: "Positioning", dependencies: ["Geo", "Geofencing", "JSON", "CExpat", "CGPSD"],
      swiftSettings: strict),
    .target(
      name: "Persistence", dependencies: ["Geo", "Geofencing", "CSQLite"], swiftSettings: strict),
    .target(name: "CommandLineArguments", swiftSettings: strict),
    .target(name: "HTTP", dependencies: ["CMicroHTTPD"], swiftSettings: strict),
    .target(name: "API", dependencies: ["Geo", "Geofencing", "JSON"], swiftSettings: strict),
    .target(
      name: "Notifications",
      dependencies: ["Geo", "Geofencing", "JSON", "CCurl", "CMosquitto", "CSodium"],
      swiftSettings: strict),

    // Rules of accounts and of the staff clock.
    .target(
      name: "Identity", dependencies: ["Geo", "JSON", "Persistence", "CSodium", "CJOSE"],
      swiftSettings: strict),
    .target(
      name: "TimeClock", dependencies: ["Geo", "Geofencing", "JSON", "Persistence"],
      swiftSettings: strict),

    // Joins.
    .target(
      name: "Service",
      dependencies: [
        "Geo", "JSON", "Geofencing", "Positioning", "Persistence", "HTTP", "API", "Notifications",
        "Identity", "TimeClock",
      ], swiftSettings: strict),

    // Mains.
    .executableTarget(
      name: "doorstep",
      dependencies: [
        "Geo", "JSON", "Geofencing", "Positioning", "Persistence", "CommandLineArguments", "API",
        "HTTP", "Service", "Identity",
      ],
      swiftSettings: strict),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["Geo", "JSON"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(
      name: "FuzzTargets", dependencies: ["Geo", "JSON", "Geofencing", "Positioning"],
      path: "Tests/FuzzTargets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "GeoTests", dependencies: ["Geo", "TestSupport", "CProj"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "GeofencingTests",
      dependencies: ["Geofencing", "Geo", "JSON", "TestSupport", "CProj"],
      swiftSettings: strict),
    .testTarget(
      name: "PositioningTests",
      dependencies: ["Positioning", "Geofencing", "Geo", "JSON", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PersistenceTests",
      dependencies: ["Persistence", "Geofencing", "Geo", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "NotificationsTests",
      dependencies: ["Notifications", "Persistence", "Geofencing", "Geo", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "IdentityTests", dependencies: ["Identity", "Persistence", "Geo", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TimeClockTests",
      dependencies: ["TimeClock", "Persistence", "Geofencing", "Geo", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Service", "HTTP", "Positioning", "Persistence", "Identity", "Geofencing", "Geo", "JSON",
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "CommandLineArgumentsTests", dependencies: ["CommandLineArguments"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests", dependencies: ["doorstep", "Positioning", "Geo", "TestSupport"],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)

// The fuzzer runs on the toolchain's libFuzzer; tools/fuzz asks for it.
if Context.environment["DOORSTEP_FUZZ"] == "1" {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "fuzz/CLibFuzzer"),
    .executableTarget(
      name: "doorstep-fuzz", dependencies: ["FuzzTargets", "CLibFuzzer"], path: "fuzz/Main",
      swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
}
