import Testing

@testable import Geofencing

@Suite struct PresenceWalkTests {
  @Test(arguments: [
    Walk(
      testDescription: "the first fix ever, inside, enters at once",
      steps: "#", gives: "E"),
    Walk(
      testDescription: "a first fix of unknown accuracy needs a second",
      steps: "?#", gives: "-E"),
    Walk(
      testDescription: "one confident fix enters",
      steps: "..#", gives: "--E"),
    Walk(
      testDescription: "one fix near the edge does not, two do",
      steps: "..ee", gives: "---E"),
    Walk(
      testDescription: "two fixes near the edge with one outside between do not",
      steps: ".ebeb", gives: "-----"),
    Walk(
      testDescription: "a coarse fix between two inside does not break the run",
      steps: ".ece", gives: "---E"),
    Walk(
      testDescription: "three fixes beyond the buffer leave: two last only ten seconds",
      steps: "#...", gives: "E--X"),
    Walk(
      testDescription: "two fixes beyond the buffer leave where they are twenty seconds apart",
      steps: "#._.", gives: "E--X"),
    Walk(
      testDescription: "one fix alone never ends a visit",
      steps: "#.____", gives: "E-----"),
    Walk(
      testDescription: "a fix in the band interrupts leaving",
      steps: "#..b..b...", gives: "E--------X"),
    Walk(
      testDescription: "a coarse fix lengthens a run but does not count in it",
      steps: "#.c_c.", gives: "E----X"),
    Walk(
      testDescription: "a coarse fix alone starts no run",
      steps: "#cccc.", gives: "E-----"),
    Walk(
      testDescription: "walking along the edge gives no second event",
      steps: "#ebebeebbbebebbb", gives: "E---------------"),
    Walk(
      testDescription: "a real return is a new visit",
      steps: "#..." + "..##", gives: "E--X--E-"),
    Walk(
      testDescription: "after a silence a fix inside resumes the visit",
      steps: "#~#", gives: "E-(SR)"),
    Walk(
      testDescription: "a fix in the band does not resume it, one inside then does",
      steps: "#~b#", gives: "E-SR"),
    Walk(
      testDescription: "after four hours it is another visit, and the old one is closed",
      steps: "#^_#", gives: "E--(SXE)"),
    Walk(
      testDescription: "an exit run does not reach across a silence",
      steps: "#.~..", gives: "E--S-"),
    Walk(
      testDescription: "a run outside closes a suspended visit",
      steps: "#~...", gives: "E-S-X"),
    Walk(
      testDescription: "an entry run does not reach across a silence",
      steps: ".e~ee", gives: "----E"),
  ])
  func `a walk gives its events`(_ walk: Walk) {
    #expect(walk.found == walk.gives)
  }
}
