import CommandLineArguments
import Glibc
import Testing

@Suite struct ProgressLineTests {
  /// What can be read, until it is as long as `expected` or nothing comes for a second: a terminal
  /// passes on in pieces what it is given.
  private func read(_ descriptor: Int32, expecting expected: String) -> String {
    var text = ""
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while text.utf8.count < expected.utf8.count, poll(&ready, 1, 1000) == 1 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    return text
  }

  @Test func `a terminal shows one line that is replaced at most ten times a second`() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    // Linux's numbers of TIOCSPTLCK and TIOCGPTPEER, whose macros Swift does not import.
    var locked: Int32 = 0
    try #require(ioctl(terminal, 0x4004_5431, &locked) == 0)
    let end = ioctl(terminal, 0x5441, O_RDWR | O_NOCTTY)
    try #require(end >= 0)
    defer {
      close(end)
      close(terminal)
    }
    var size = winsize(ws_row: 24, ws_col: 11, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(end, UInt(TIOCSWINSZ), &size) == 0)
    var line = ProgressLine(fileDescriptor: end)
    let start = ContinuousClock.now
    line.show(at: start, "1 of 3")
    line.show(at: start.advanced(by: .milliseconds(99)), "2 of 3")
    line.show(at: start.advanced(by: .milliseconds(100)), "3 of 3 and on")
    line.clear()
    line.clear()
    let expected = "\r1 of 3\u{1b}[K\r3 of 3 and\u{1b}[K\r\u{1b}[K"
    #expect(read(terminal, expecting: expected) == expected)
  }

  @Test func `what is no terminal is not written to, and no text is made`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var made = 0
    func text() -> String {
      made += 1
      return "text"
    }
    var line = ProgressLine(fileDescriptor: ends[1])
    line.show(text())
    line.clear()
    #expect(made == 0)
    var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 0) == 0)
  }
}
