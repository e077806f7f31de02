import Foundation
import TestSupport

/// A webhook's receiver, written in another language: it checks signatures with its own library,
/// and answers as the path of a request tells it to.
final class WebhookReceiver {
  /// A request as it came.
  struct Request: Decodable {
    let id: String
    /// Whether the signature holds for the secret that the receiver knows.
    let signed: Bool
    /// Whether headers and body agree.
    let consistent: Bool
    let sequence: Int
    let path: String
    /// What the receiver did with it.
    let answer: String
  }

  let port: UInt16
  private let program: ChildProgram
  private let folder: TemporaryFolder

  /// Starts the receiver on a free port and waits until it listens; `certificate` names a PEM file
  /// of a certificate and its key.
  init(secret: String, certificate: String? = nil) async throws {
    folder = try TemporaryFolder()
    let script = try folder.write(WebhookReceiver.script, to: "receiver.py")
    let program = try ChildProgram(
      "python3", [script, secret] + (certificate.map { [$0] } ?? []))
    self.program = program
    let listens = await eventually { !program.lines.isEmpty || !program.isRunning }
    guard listens, let line = program.lines.first, let port = UInt16(line) else {
      throw PeerError("the webhook receiver does not listen")
    }
    self.port = port
  }

  func url(_ path: String, scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)/\(path)"
  }

  var requests: [Request] {
    let decoder = JSONDecoder()
    return program.lines.dropFirst().compactMap {
      try? decoder.decode(Request.self, from: Data($0.utf8))
    }
  }

  func stop() { program.stop() }

  private static let script = #"""
    import hashlib, hmac, json, socket, ssl, sys, threading, time
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    secret = sys.argv[1].encode()
    lock = threading.Lock()
    tries = {}

    class Receiver(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fields = dict(part.split("=", 1) for part in self.headers["Doorstep-Signature"].split(","))
            expected = hmac.new(secret, fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
            signed = hmac.compare_digest(expected, fields["v1"]) and abs(time.time() - int(fields["t"])) < 300
            message = json.loads(body)
            identity = self.headers["Doorstep-Delivery"]
            consistent = (message["id"] == identity
                and message["data"]["event"] == self.headers["Doorstep-Event"]
                and self.headers["Content-Type"] == "application/json")
            way = self.path.strip("/")
            if way == "moody":
                with lock:
                    tries[identity] = tries.get(identity, 0) + 1
                    mood = hashlib.sha256(f"{identity}{tries[identity]}".encode()).digest()[0]
                way = ["200", "200", "204", "500", "drop", "late", "400"][mood % 7]
            self.note(identity, signed, consistent, message["sequence"], way)
            if way == "drop":
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            elif way == "hang":
                time.sleep(30)
            elif way == "late":
                time.sleep(0.05)
                self.answer(200)
            elif way == "redirect":
                self.answer(307, location="/elsewhere")
            elif way == "endless":
                self.send_response(200)
                self.send_header("Content-Length", "1000000")
                self.end_headers()
                self.wfile.flush()
                time.sleep(30)
            else:
                self.answer(int(way))

        def answer(self, status, location=None):
            body = b"" if status == 204 else b"{\"ignored\": true}"
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def note(self, identity, signed, consistent, sequence, answer):
            line = json.dumps({"id": identity, "signed": signed, "consistent": consistent,
                "sequence": sequence, "path": self.path, "answer": answer})
            with lock:
                print(line, flush=True)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request, address):
            pass

    server = Server(("127.0.0.1", 0), Receiver)
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()

    """#
}
