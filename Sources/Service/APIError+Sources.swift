import API
import HTTP
import JSON
import Persistence

/// What goes wrong below, as errors of the interface.
extension APIError {
  /// A request that reached no handler.
  init(_ problem: HTTPProblem) {
    switch problem {
    case .malformedRequest, .targetTooLong, .headersTooLarge:
      self.init(.validationError, problem.message)
    case .notFound: self.init(.notFound, problem.message)
    case .methodNotAllowed: self.init(.methodNotAllowed, problem.message)
    case .bodyTooLarge(let limit):
      self.init(.payloadTooLarge, problem.message) { $0.member("limitBytes", limit) }
    case .unsupportedMediaType(let accepted):
      self.init(.unsupportedMediaType, problem.message) { json in
        json.name("accepted")
        json.array { json in for type in accepted { json.value(type) } }
      }
    case .stopping: self.init(.unavailable, problem.message)
    }
  }

  /// A body that is no JSON.
  init(_ error: JSONSyntaxError) {
    self.init(.validationError, "The body is no JSON: \(error)") { json in
      json.member("line", error.line)
      json.member("column", error.column)
    }
  }

  /// Fields that are wrong, by the names of their problems.
  static func invalid(_ problems: [String], _ message: String) -> APIError {
    APIError(.validationError, message) { json in
      json.name("problems")
      json.array { json in for problem in problems { json.value(problem) } }
    }
  }

  /// The engine could not write; nothing of it counts.
  init(_ failure: EngineHost.Failure) {
    switch failure {
    case .storage(let error): self.init(error)
    case .conflict:
      self.init(.unavailable, "Another program keeps changing the same subjects. Send it again.")
    }
  }

  /// The database's own words may name a path, which is nobody's business outside.
  init(_ error: DatabaseError) {
    switch error.reason {
    case .busy: self.init(.unavailable, "The database is busy. Send it again.")
    case .diskFull: self.init(.unavailable, "The disk is full; nothing of this was kept.")
    default: self.init(.unavailable, "The database cannot be used; nothing of this was kept.")
    }
  }

  /// An error that only a fault of the program can bring.
  static let unexpected = APIError(.internalError, "The service failed; its log may say more.")
}
