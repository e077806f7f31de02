import Geo
import Glibc

/// Where the bytes of a trace come from.
public enum TraceSource: Hashable, Sendable {
  case file(path: String)
  case standardInput

  /// The source that an argument of a command names: `-` is standard input.
  public init(argument: String) {
    self = argument == "-" ? .standardInput : .file(path: argument)
  }

  /// The file's name without its folders; `-` for standard input.
  public var name: String {
    switch self {
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .standardInput: "-"
    }
  }

  /// Whose fixes they are where the trace does not say.
  public var defaultSubject: SubjectID { SubjectID(name) }
}

/// Why a trace could not be read.
public enum TraceError: Error, Equatable, Sendable {
  case notFound(path: String)
  case isDirectory(path: String)
  case notPermitted(path: String)
  /// The system refused for another reason, given by its code and words.
  case cannotRead(name: String, code: Int32)
}

extension TraceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let path): "\(path): there is no such file"
    case .isDirectory(let path): "\(path): is a folder; name the files in it"
    case .notPermitted(let path): "\(path): may not be read by this user"
    case .cannotRead(let name, let code): "\(name): \(String(cString: strerror(code)))"
    }
  }
}

extension TraceError {
  init(code: Int32, source: TraceSource) {
    guard case .file(let path) = source else {
      self = .cannotRead(name: "standard input", code: code)
      return
    }
    self =
      switch code {
      case ENOENT, ENOTDIR: .notFound(path: path)
      case EISDIR: .isDirectory(path: path)
      case EACCES, EPERM: .notPermitted(path: path)
      default: .cannotRead(name: path, code: code)
      }
  }
}
