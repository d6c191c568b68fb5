package io.cascade.simulation;

import org.jspecify.annotations.Nullable;

/** One end of a flow, driven by times that are passed in. */
public interface Endpoint {
  /** Result of {@link #nextNanos} if there is nothing to do until a packet arrives. */
  long NEVER = Long.MAX_VALUE;

  /** A packet arrives. */
  void onPacket(Object content, long nowNanos);

  /** The next packet to send now, or null. */
  @Nullable Packet poll(long nowNanos);

  /** Returns when to poll again if nothing arrives first. */
  long nextNanos();
}
