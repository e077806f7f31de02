import CommandLineArguments
import Testing

@Suite struct TextTableTests {
  @Test func `columns are aligned and numbers stand right`() {
    var table = TextTable(columns: [.init("store"), .init("meters", .right), .init("note")])
    table.append(["Dock", "9.5", "near"])
    table.append(["Warehouse", "1200.0", ""])
    #expect(
      table.lines() == [
        "store      meters  note",
        "Dock          9.5  near",
        "Warehouse  1200.0",
      ])
  }

  @Test func `a wide character takes two columns`() {
    var table = TextTable(columns: [.init("store"), .init("n", .right)])
    table.append(["東京駅", "1"])
    table.append(["Zürich", "2"])
    #expect(table.lines() == ["store   n", "東京駅  1", "Zürich  2"])
  }

  @Test func `a name can not move the cursor`() {
    var table = TextTable(columns: [.init("store")])
    table.append(["a\u{1b}[2Jb\nc"])
    #expect(table.lines() == ["store", "a\u{fffd}[2Jb\u{fffd}c"])
  }

  @Test func `only a terminal that wants it gets colors`() {
    let terminal = TerminalStyle(isTerminal: true, environment: ["TERM": "xterm"])
    #expect(terminal.green("in") == "\u{1b}[32min\u{1b}[0m")
    #expect(terminal.green("").isEmpty)
    for (isTerminal, environment) in [
      (false, ["TERM": "xterm"]), (true, ["TERM": "dumb"]), (true, ["NO_COLOR": "1"]),
    ] {
      let style = TerminalStyle(isTerminal: isTerminal, environment: environment)
      #expect(style.red("out") == "out")
    }
    #expect(TerminalStyle(isTerminal: true, environment: ["NO_COLOR": ""]).isEnabled)
  }
}
