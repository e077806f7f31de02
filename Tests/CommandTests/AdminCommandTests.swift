import TestSupport
import Testing

@Suite struct AdminCommandTests {
  let folder = try! TemporaryFolder()

  private static let people = """
    {"companies": [{"name": "Example",
      "roles": [{"name": "buyer", "roleId": 4, "isManager": false}],
      "stores": [{"typeNum": "ou00", "storeName": "Ottawa", "timeZone": "America/Toronto"}],
      "users": [{"firstName": "Ana", "lastName": "Ruiz", "email": "ana@example.com",
        "password": "correct horse",
        "assignments": [{"store": "ou00", "role": "buyer", "employeeId": 456}]}]}]}
    """

  private func admin(_ arguments: String...) throws -> Program.Result {
    try Program.run(["admin"] + arguments + ["--database", folder.path("doorstep.db")])
  }

  @Test func `companies are loaded once, and keys are made for them`() throws {
    let file = try folder.write(Self.people, to: "people.json")
    #expect(try admin("load", file).exitCode == 0)
    let again = try admin("load", file)
    #expect(again.exitCode == 3)
    #expect(again.errors.contains("'Example'"))
    let key = try admin("create-api-key", "k", "--company", "Example", "--scope", "positions")
    #expect(key.exitCode == 0)
    #expect(key.output.hasPrefix("doorstep_"))
    #expect(key.errors.isEmpty)
    let other = try admin(
      "create-api-key", "k", "--company", "Example", "--scope", "positions")
    #expect(other.output != key.output)
  }

  @Test func `a key needs a company that is there, and a scope`() throws {
    let file = try folder.write(Self.people, to: "people.json")
    #expect(try admin("load", file).exitCode == 0)
    let unknown = try admin("create-api-key", "k", "--company", "None", "--scope", "positions")
    #expect(unknown.exitCode == 3)
    #expect(unknown.output.isEmpty)
    #expect(try admin("create-api-key", "k", "--company", "Example").exitCode == 3)
  }

  @Test func `a document that is wrong is refused by its member`() throws {
    let file = try folder.write(#"{"companies": [{"name": 7}]}"#, to: "people.json")
    let answer = try admin("load", file)
    #expect(answer.exitCode == 3)
    #expect(answer.errors.contains("companies[0].name"))
  }
}
