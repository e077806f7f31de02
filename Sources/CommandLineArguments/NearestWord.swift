/// The word that was probably meant by a misspelled one, or nil where none is near.
///
/// Near is: begun alike (`--acc` for `--accuracy`), where only one word is; else at most one edit
/// for each three letters.
func nearestWord(to word: String, in words: [String]) -> String? {
  let begun = words.filter { $0.hasPrefix(word) }
  if begun.count == 1, word.drop(while: { $0 == "-" }).count >= 2 { return begun[0] }
  let limit = max(1, word.drop { $0 == "-" }.count / 3)
  return
    words
    .map { (word: $0, edits: editDistance(Array(word.lowercased()), Array($0.lowercased()))) }
    .filter { $0.edits <= limit }
    .min { ($0.edits, $0.word) < ($1.edits, $1.word) }?
    .word
}

/// Letters to insert, delete, replace or exchange with their neighbor to make one word of another
/// (optimal string alignment).
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for (i, left) in a.enumerated() {
    var row = [i + 1]
    for (j, right) in b.enumerated() {
      var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (left == right ? 0 : 1))
      if i > 0, j > 0, left == b[j - 1], right == a[i - 1] {
        edits = min(edits, beforeLast[j - 1] + 1)
      }
      row.append(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
