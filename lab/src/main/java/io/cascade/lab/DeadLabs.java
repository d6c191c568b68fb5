package io.cascade.lab;

/** Removes the remains of labs whose process was killed, or whose owner has ended. */
public final class DeadLabs {
  private DeadLabs() {}

  /**
   * Ends their processes, and with them their namespaces, and deletes their folders.
   *
   * @return how many labs there were
   */
  public static int remove() {
    int removed = 0;
    for (LabFolder folder : LabFolder.all()) {
      if (!folder.alive() || folder.ownedBy().filter(owner -> !owner.runs()).isPresent()) {
        remove(folder);
        removed++;
      }
    }
    return removed;
  }

  /**
   * Removes the labs that this process brought up for itself, including those that are still coming
   * up.
   */
  public static void removeOwn() {
    LabOwner self = LabOwner.thisProcess("");
    for (LabFolder folder : LabFolder.all()) {
      folder
          .ownedBy()
          .filter(owner -> owner.pid() == self.pid() && owner.startMillis() == self.startMillis())
          .ifPresent(_ -> remove(folder));
    }
  }

  private static void remove(LabFolder folder) {
    folder
        .read()
        .map(LabState::id)
        .or(() -> folder.ownedBy().map(LabOwner::lab))
        .ifPresent(id -> LabProcesses.end(id, -1));
    folder.delete();
  }
}
