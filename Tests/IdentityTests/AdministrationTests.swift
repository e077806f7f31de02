import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

@Suite struct AdministrationTests {
  private let world: World
  private let administration: Administration

  init() throws {
    world = try World()
    administration = world.administration
  }

  private func problem(_ body: () throws -> Void) throws -> AdministrationError? {
    do {
      try body()
      return nil
    } catch let error as AdministrationError {
      return error
    }
  }

  @Test(arguments: [
    "", ".", "..", "a b", "a/b", "\u{e9}1", "a?", String(repeating: "a", count: 65),
  ])
  func `an id that cannot stand in a path is none of a store`(typeNum: String) throws {
    #expect(
      try problem {
        _ = try administration.createStore(
          typeNum: typeNum, name: "S", timeZone: "UTC", company: 1, now: noon)
      } == .typeNumInvalid(typeNum))
  }

  @Test func `ids, names and addresses are given once`() throws {
    let cases: [(AdministrationError, () throws -> Void)] = [
      (
        .companyExists("Example"),
        { _ = try administration.createCompany(name: "Example", now: noon) }
      ),
      (.nameMissing, { _ = try administration.createCompany(name: " ", now: noon) }),
      (
        .storeExists("OU00"),
        {
          _ = try administration.createStore(
            typeNum: "OU00", name: "S", timeZone: "UTC", company: 2, now: noon)
        }
      ),
      (
        .timeZoneUnknown("Mars/Olympus"),
        {
          _ = try administration.createStore(
            typeNum: "s", name: "S", timeZone: "Mars/Olympus", company: 1, now: noon)
        }
      ),
      (
        .companyUnknown(9),
        {
          _ = try administration.createStore(
            typeNum: "s", name: "S", timeZone: "UTC", company: 9, now: noon)
        }
      ),
      (
        .roleExists("clerk"),
        {
          _ = try administration.createRole(
            name: "clerk", roleID: 4, isManager: false, permissions: [:], company: 1)
        }
      ),
      (
        .emailTaken,
        {
          _ = try administration.createUser(
            firstName: "A", lastName: "B", email: "ANA@example.com", company: 2, now: noon)
        }
      ),
      (
        .emailInvalid,
        {
          _ = try administration.createUser(
            firstName: "A", lastName: "B", email: "an\u{212b}@example.com", company: 1, now: noon)
        }
      ),
      (
        .scopesMissing,
        {
          _ = try administration.createAPIKey(
            name: "k", scopes: [], subject: nil, company: 1, now: noon, using: &world.random)
        }
      ),
    ]
    for (expected, act) in cases { #expect(try problem(act) == expected) }
  }

  @Test func `a password needs eight characters and may have a kilobyte`() throws {
    func hash(_ text: String) throws -> AdministrationError? {
      try problem { _ = try Administration.hash(newPassword: Secret(text), with: .cheap) }
    }
    #expect(try hash("1234567") == .passwordTooShort(minimum: 8))
    #expect(try hash("12345678") == nil)
    #expect(try hash(String(repeating: "a", count: 1024)) == nil)
    #expect(try hash(String(repeating: "a", count: 1025)) == .passwordTooLong(maximumBytes: 1024))
  }

  @Test func `a user works at a store of the company once at a time, under a number of their own`()
    throws
  {
    func assign(
      _ user: Int, _ store: String, _ role: String, _ employeeID: Int, _ from: Double,
      _ until: Double? = nil
    ) throws -> AdministrationError? {
      try problem {
        _ = try administration.assign(
          user: user, to: store, role: role, employeeID: employeeID, from: noon + from,
          until: until.map { noon + $0 })
      }
    }
    #expect(try assign(world.ana, "ou00", "manager", 456, 0) == .alreadyEmployed)
    #expect(try assign(world.ana, "x1", "buyer", 3, 0) == .otherCompany)
    #expect(try assign(world.cy, "nowhere", "buyer", 3, 0) == .storeUnknown("nowhere"))
    #expect(try assign(world.bo, "pa00", "king", 3, 0) == .roleUnknown("king"))
    #expect(try assign(999, "pa00", "buyer", 3, 0) == .userUnknown(999))
    #expect(try assign(world.bo, "pa00", "buyer", 789, 0) == .employeeIDTaken(789))
    #expect(try assign(world.bo, "pa00", "buyer", 3, 10, 10) == .endsBeforeItBegins)
    #expect(try assign(world.bo, "pa00", "buyer", 3, 100, 200) == nil)
    #expect(try assign(world.bo, "pa00", "buyer", 3, 0, 101) == .alreadyEmployed)
    #expect(try assign(world.bo, "pa00", "buyer", 3, 199) == .alreadyEmployed)
    #expect(try assign(world.bo, "pa00", "buyer", 3, 0, 100) == nil)
    #expect(try assign(world.bo, "pa00", "manager", 3, 200) == nil)
    #expect(try world.accounts.employments(of: world.bo).count == 4)
  }

  @Test func `what is written is read as it was`() throws {
    let database = try Database(path: world.folder.path("doorstep.db"))
    let accounts = AccountRepository(database: database)
    #expect(try accounts.companies().map(\.name) == ["Example", "Other"])
    #expect(try accounts.stores(of: 1).map(\.name) == ["Ottawa Store", "Parkway Store"])
    let roles = try accounts.roles(of: 1)
    #expect(roles.map(\.name) == ["manager", "buyer"] && roles.map(\.isManager) == [true, false])
    #expect(
      roles[0].permissions == [.clock: .own, .viewHours: .store, .manageUsers: .company])
    #expect(try accounts.users(of: 1).map(\.firstName) == ["Ana", "Bo"])
    #expect(try accounts.employments(at: "OU00").map(\.user) == [world.bo, world.ana])
  }

  @Test func `a fixture that goes wrong half-way leaves nothing`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path("doorstep.db"))
    let broken = World.document.replacing(
      #""store": "x1", "role": "buyer""#, with: #""store": "x1", "role": "king""#)
    let fixture = try Fixture(json: Array(broken.utf8))
    #expect(throws: AdministrationError.roleUnknown("king")) {
      try fixture.load(into: database, hasher: .cheap, now: noon)
    }
    #expect(try AccountRepository(database: database).companies().isEmpty)
    try Fixture(json: Array(World.document.utf8)).load(
      into: database, hasher: .cheap, now: noon)
    #expect(try AccountRepository(database: database).companies().count == 2)
  }

  @Test(arguments: [
    (#"{}"#, "companies must be an array"),
    (#"{"companies": [{}]}"#, "companies[0].name must be a string"),
    (
      #"{"companies": [{"name": "A", "stores": [{"typeNum": 7}]}]}"#,
      "companies[0].stores[0].typeNum must be a string"
    ),
    (
      #"{"companies": [{"name": "A", "roles": [{"name": "r", "roleId": 1.5}]}]}"#,
      "companies[0].roles[0].roleId must be a whole number"
    ),
    (
      #"{"companies": [{"name": "A", "roles": {}}]}"#, "companies[0].roles must be an array"
    ),
  ])
  func `a fixture says what is wrong with it and where`(text: String, message: String) {
    do {
      _ = try Fixture(json: Array(text.utf8))
      Issue.record("it was read")
    } catch { #expect("\(error)" == message) }
  }
}
