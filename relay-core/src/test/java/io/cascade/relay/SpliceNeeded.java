package io.cascade.relay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.carriage.transport.KernelPipe;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;

/** What a test needs whose streams may be spliced, see {@link PumpMode}. */
public final class SpliceNeeded {
  private SpliceNeeded() {}

  /** Skips the test, and says so, where this machine cannot. */
  public static void check() {
    boolean possible = Transport.EPOLL.available() && KernelPipe.missing() == null;
    if (!possible) {
      System.err.println("NOT TESTED: splicing, for this machine has no epoll or no splice(2)");
    }
    assumeTrue(possible, "no epoll or no splice(2)");
  }
}
