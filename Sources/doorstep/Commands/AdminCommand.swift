import CommandLineArguments
import Geo
import Identity
import Persistence

/// `doorstep admin`: companies, people and keys, by whoever may read the database.
enum AdminCommand {
  static let command = Command(
    "admin", "loads companies with their people, and makes API keys",
    subcommands: [loadCommand, createKeyCommand])

  private static let file = Positional<String>.required(
    .file("FILE"), "companies with roles, stores and users, in JSON")

  private static let loadCommand = Command(
    "load", "adds companies with their roles, stores and users, all or nothing",
    discussion: """
      For demonstrations and tests: the file has passwords in clear. A store's fence is drawn apart \
      from it, under the same id.
      """,
    examples: [
      .init("doorstep admin load people.json", "everybody who works in the file's stores")
    ],
    parameters: [file] + FenceSource.databaseParameters
  ) { arguments in
    let bytes = try WholeFile.read(arguments[file])
    let fixture: Fixture
    do throws(Fixture.Problem) {
      fixture = try Fixture(json: bytes)
    } catch {
      throw CommandFailure.badInput("\(arguments[file]): \(error)")
    }
    let database = try FenceSource.openDatabase(arguments)
    do {
      try fixture.load(into: database, hasher: try PasswordHasher(), now: .now)
    } catch {
      throw failure(error)
    }
    return ExitCode.done
  }

  private static let name = Positional<String>.required(
    .text("NAME"), "by which you will know the key")
  private static let company = Option<String>.required(
    "company", .text("NAME"), "the company that the key belongs to")
  private static let scopes = Option<[APIScope]>.repeated(
    "scope", .choice("SCOPE"), "what the key opens; may be given more than once")
  private static let subject = Option<String?>.optional(
    "subject", .text("SUBJECT"), "the only subject that the key may speak of")

  private static let createKeyCommand = Command(
    "create-api-key", "makes an API key, and prints it this once",
    examples: [
      .init(
        "doorstep admin create-api-key tracker --company Example --scope positions",
        "a key that may report positions")
    ],
    parameters: [name, company, scopes, subject] + FenceSource.databaseParameters
  ) { arguments in
    let database = try FenceSource.openDatabase(arguments)
    var random = SystemRandomNumberGenerator()
    let secret: Secret
    do {
      let companies = try AccountRepository(database: database).companies()
      guard let owner = companies.first(where: { $0.name == arguments[company] }) else {
        throw CommandFailure.badInput("there is no company '\(arguments[company])'")
      }
      secret = try Administration(database: database).createAPIKey(
        name: arguments[name], scopes: Set(arguments[scopes]),
        subject: arguments[subject].map { SubjectID($0) }, company: owner.id, now: .now,
        using: &random
      ).secret
    } catch {
      throw failure(error)
    }
    try StandardOutput.write(secret.revealed + "\n")
    return ExitCode.done
  }

  private static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as CommandFailure: error
    case AdministrationError.database, AdministrationError.hashing: .outside("\(error)")
    case is AdministrationError: .badInput("\(error)")
    default: .outside("\(error)")
    }
  }
}
