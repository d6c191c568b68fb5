package io.cascade.relay.rendezvous;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the port where two ends meet that both dial out.
 *
 * @param at address to listen on; null for no such port
 */
public record RendezvousSettings(@Nullable InetSocketAddress at, RendezvousLimits limits) {
  /** Default bytes passed on in a day, both directions together. */
  public static final long DEFAULT_BYTES_A_DAY = 1L << 40;

  /** No port. */
  public static final RendezvousSettings NONE =
      new RendezvousSettings(null, RendezvousLimits.usual(DEFAULT_BYTES_A_DAY));
}
