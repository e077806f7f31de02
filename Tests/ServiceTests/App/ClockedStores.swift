import Foundation
import Geo
import Geofencing
import HTTP
import Identity
import Persistence
import TestSupport

/// Two stores 120 m apart and one 3 km away, with Ana at all of them, Bo at `ou00` alone, and Cy of
/// another company.
struct ClockedStores: Sendable {
  let stores: ServedStores

  var database: Database { get throws { try Database(path: stores.databasePath) } }
  var administration: Administration { get throws { Administration(database: try database) } }

  static let fences = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"ou00","properties":{"radiusMeters":200},
     "geometry":{"type":"Point","coordinates":[-75.6972,45.4215]}},
    {"type":"Feature","id":"pa00","properties":{"radiusMeters":200},
     "geometry":{"type":"Point","coordinates":[-75.6956668,45.4215]}},
    {"type":"Feature","id":"far0","properties":{"radiusMeters":200},
     "geometry":{"type":"Point","coordinates":[-75.6972,45.4485]}},
    {"type":"Feature","id":"x1","properties":{"radiusMeters":200},
     "geometry":{"type":"Point","coordinates":[139.7,35.6]}}]}
    """

  static let people = """
    {"companies": [
      {"name": "Example",
       "roles": [
         {"name": "manager", "roleId": 2, "isManager": true, "permissions": {"clock": "self"}},
         {"name": "buyer", "roleId": 4, "isManager": false, "permissions": {"clock": "self"}}],
       "stores": [
         {"typeNum": "ou00", "storeName": "Ottawa Store", "timeZone": "America/Toronto"},
         {"typeNum": "pa00", "storeName": "Parkway Store", "timeZone": "America/Toronto"},
         {"typeNum": "far0", "storeName": "Far Store", "timeZone": "America/Toronto"}],
       "users": [
         {"firstName": "Ana", "lastName": "Ruiz", "email": "ana@example.com",
          "password": "correct horse",
          "assignments": [
            {"store": "ou00", "role": "buyer", "employeeId": 456},
            {"store": "pa00", "role": "buyer", "employeeId": 789},
            {"store": "far0", "role": "manager", "employeeId": 12}]},
         {"firstName": "Bo", "lastName": "Li", "email": "bo@example.com",
          "password": "correct horse",
          "assignments": [{"store": "ou00", "role": "manager", "employeeId": 1}]}]},
      {"name": "Other",
       "roles": [{"name": "buyer", "roleId": 4, "isManager": false}],
       "stores": [{"typeNum": "x1", "storeName": "Elsewhere", "timeZone": "Asia/Tokyo"}],
       "users": [
         {"firstName": "Cy", "lastName": "Day", "email": "cy@example.com",
          "password": "correct horse",
          "assignments": [{"store": "x1", "role": "buyer", "employeeId": 456}]}]}]}
    """

  init() async throws {
    stores = try await ServedStores(fences: Self.fences)
    let hasher = try PasswordHasher(cost: PasswordHasher.Cost(passes: 1, memoryInBytes: 8192)!)
    try Fixture(json: Array(Self.people.utf8)).load(
      into: try database, hasher: hasher, now: stores.now.advanced(bySeconds: -86_400))
  }

  func user(_ name: String) throws -> Int {
    try AccountRepository(database: try database).user(emailKey: "\(name)@example.com")!.id
  }

  func ask(
    _ method: HTTPMethod, _ path: String, _ body: String = "", token: String? = nil,
    key: String? = nil
  ) async -> ServedStores.Answer {
    var headers: HTTPHeaders = ["Content-Type": "application/json", "User-Agent": "test/1"]
    if let token { headers[.authorization] = "Bearer \(token)" }
    if let key { headers[.idempotencyKey] = key }
    return await stores.ask(method, "/api/mobile/scheduling/\(path)", body, headers: headers)
  }

  func logIn(
    _ name: String = "ana", password: String = "correct horse"
  ) async -> ServedStores.Answer {
    await ask(
      .post, "auth/login", #"{"email":"\#(name)@example.com","password":"\#(password)"}"#)
  }

  func token(_ name: String = "ana") async -> String {
    await logIn(name)["accessToken"] as? String ?? ""
  }

  /// A position at a latitude, so old as `age` seconds.
  func at(_ latitude: Double = 45.4215, accuracy: Double = 8, age: Double = 2) -> String {
    let time = stores.now.advanced(bySeconds: -age)
    return """
      {"lat":\(latitude),"lng":-75.6972,"accuracy":\(accuracy),"timestamp":"\(time)",\
      "sentAt":"\(stores.now)"}
      """
  }

  func punchCount() throws -> Int {
    var count = 0
    try PunchRepository(database: try database).forEachPunch { _ in count += 1 }
    return count
  }
}
