package io.cascade.relay.rendezvous;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the port where two ends meet that both dial out.
 *
 * @param at where it listens; null for no such port
 */
public record RendezvousSettings(@Nullable InetSocketAddress at, RendezvousLimits limits) {
  /** What is passed on in a day where nobody says, both directions together. */
  public static final long DEFAULT_BYTES_A_DAY = 1L << 40;

  /** No port. */
  public static final RendezvousSettings NONE =
      new RendezvousSettings(null, RendezvousLimits.usual(DEFAULT_BYTES_A_DAY));
}
