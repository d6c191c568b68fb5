package io.cascade.lab;

/** Removes what labs left whose process was killed, or whose owner has ended. */
public final class DeadLabs {
  private DeadLabs() {}

  /**
   * Ends their processes, which ends their namespaces, and deletes their folders.
   *
   * @return how many there were
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

  /** Removes the labs that this process brought up for itself, those that are not up yet too. */
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
