import API
import Geo
import HTTP
import Identity
import JSON
import Persistence

/// `auth/...` and `me/...`: signing in and out, and the caller's own account.
struct AuthRoutes {
  let accounts: AccountHost
  let passwords: PasswordQueue

  var routes: [Route] {
    [
      .app(.post, "auth/login") { try await logIn($0) },
      .app(.post, "auth/refresh") { request in
        let token = Secret(try AppBody(request).requiredText("refreshToken"))
        let tokens = try await accounts.refresh(token)
        return .json { tokens.write(to: &$0) }
      },
      .app(.post, "auth/logout") { request in
        if let token = try AppBody(request).text("refreshToken") {
          try await accounts.signOut(refreshToken: Secret(token))
        } else {
          try await accounts.signOut(accessToken: try request.accessToken())
        }
        return HTTPResponse(.noContent)
      },
      .app(.get, "me") { request in
        let (user, employments) = try await accounts.profile(try request.accessToken())
        return .json { json in
          json.name("user")
          json.object { user.write(to: &$0) }
          write(employments, to: &json)
        }
      },
      .app(.get, "me/sessions") { request in
        let (current, all) = try await accounts.openSessions(try request.accessToken())
        return .json { json in
          json.name("sessions")
          json.array { json in
            for session in all {
              json.object { session.write(to: &$0, isCurrent: session.id == current) }
            }
          }
        }
      },
      .app(.delete, "me/sessions/{id}") { request in
        let id = request.parameter("id")
        guard try await accounts.endSession(id, accessToken: try request.accessToken()) else {
          throw APIError(.notFound, "There is no such session of yours that is open.")
        }
        return HTTPResponse(.noContent)
      },
    ]
  }

  private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body = try AppBody(request)
    let email = try body.requiredText("email")
    let password = Secret(try body.requiredText("password"))
    let attempt = try await accounts.beginSignIn(
      email: email, from: ClientAddress(request.remoteAddress))
    let checked = try await passwords.verify(password, of: attempt)
    if attempt.delayMilliseconds > 0 {
      try await Task.sleep(for: .milliseconds(attempt.delayMilliseconds))
    }
    let signedIn = try await accounts.finishSignIn(checked, client: request.clientName)
    return .json { json in
      json.member("status", "signedIn")
      signedIn.tokens.write(to: &json)
      json.name("user")
      json.object { signedIn.user.write(to: &$0) }
      write(signedIn.employments, to: &json)
      json.name("requiredActions")
      json.array { json in for action in signedIn.requiredActions { json.value(action.rawValue) } }
    }
  }

  private func write(_ employments: [Employment], to json: inout JSONWriter) {
    json.name("stores")
    json.array { json in
      for employment in employments {
        json.object { json in
          json.member("typeNum", employment.store.typeNum)
          json.member("storeName", employment.store.name)
          json.member("role", employment.role.name)
          json.member("roleId", employment.role.roleID)
          json.member("isManager", employment.role.isManager)
          json.member("employeeId", employment.employeeID)
        }
      }
    }
    json.member("requiresStoreSelection", employments.count > 1)
  }
}

extension Tokens {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("accessToken", accessToken.revealed)
    json.member("refreshToken", refreshToken.revealed)
    json.member("expiresIn", expiresIn)
    json.member("refreshExpiresAt", refreshExpiresAt.description)
  }
}

extension User {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("userId", id)
    json.member("firstName", firstName)
    json.member("lastName", lastName)
    json.member("email", email)
  }
}

extension StoredSession {
  fileprivate func write(to json: inout JSONWriter, isCurrent: Bool) {
    json.member("id", id)
    json.member("isCurrent", isCurrent)
    json.member("client", client)
    json.member("address", address)
    json.member("method", method)
    json.member("createdAt", createdAt.description)
    json.member("lastUsedAt", lastUsedAt.description)
    json.member("expiresAt", idleUntil.description)
  }
}
