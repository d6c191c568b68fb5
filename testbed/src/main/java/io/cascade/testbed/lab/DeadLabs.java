package io.cascade.testbed.lab;

/** Removes what labs left whose process was killed. */
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
      if (!folder.alive()) {
        remove(folder);
        removed++;
      }
    }
    return removed;
  }

  static void remove(LabFolder folder) {
    folder.read().ifPresent(state -> LabProcesses.end(state.id(), -1));
    folder.delete();
  }
}
