import Positioning

/// What is no address is refused with a text that says why.
func addressPromise(_ bytes: UnsafeRawBufferPointer) -> String? {
  do throws(LiveSource.Address.Problem) {
    _ = try LiveSource.Address(String(decoding: bytes, as: UTF8.self))
  } catch {
    return error.description.isEmpty ? "refused without a reason" : nil
  }
  return nil
}
