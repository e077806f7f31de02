/// The workers of all targets, which come and go while the service runs.
package actor DeliveryCrew<Target: Hashable & Sendable> {
  private struct Member {
    let worker: DeliveryWorker
    let task: Task<Void, Never>
  }

  private var members: [Target: Member] = [:]
  private var isClosed = false

  package init() {}

  package var targets: Set<Target> { Set(members.keys) }

  /// Starts a target's worker, in place of the one that it had; after `stop` none is started.
  package func start(_ worker: DeliveryWorker, for target: Target) async {
    // Two workers of one target would send everything twice.
    while let former = members.removeValue(forKey: target) { await end(former) }
    guard !isClosed else { return }
    members[target] = Member(worker: worker, task: Task { await worker.run() })
  }

  /// Ends a target's worker, and gives up its attempts; returns when it has ended.
  package func dismiss(_ target: Target) async {
    if let member = members.removeValue(forKey: target) { await end(member) }
  }

  /// Says that these targets may have new deliveries.
  package func wake(_ targets: some Sequence<Target>) {
    for target in targets { members[target]?.worker.wake() }
  }

  /// Says that a target's receiver is back.
  package func resume(_ target: Target) { members[target]?.worker.resume() }

  /// Ends all workers: lets the attempts under way end within `grace`, and gives up the others.
  package func stop(within grace: Duration) async {
    isClosed = true
    let ending = members.values
    members = [:]
    for member in ending { member.worker.stop() }
    let deadline = Task {
      try? await Task.sleep(for: grace)
      for member in ending { member.task.cancel() }
    }
    for member in ending { await member.task.value }
    deadline.cancel()
  }

  private func end(_ member: Member) async {
    member.task.cancel()
    await member.task.value
  }
}
