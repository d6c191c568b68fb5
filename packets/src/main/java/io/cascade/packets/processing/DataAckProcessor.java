package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import java.util.function.Consumer;

/**
 * Decides what happens to the packets of one connection. Uses no clock; all times are passed in, as
 * nanoseconds that never decrease. Used by one thread.
 */
public interface DataAckProcessor {
  long NEVER = Long.MAX_VALUE;

  /** Processes a packet to the far side. */
  Operation outbound(TcpPacket packet, long nowNanos);

  /** Processes a packet from the far side. */
  Operation inbound(TcpPacket packet, PipeId from, long nowNanos);

  /** Passes on the packets that waited for the latest one, in order. Must be called after it. */
  default void handOut(Consumer<TcpPacket> near) {}

  /**
   * Passes on packets that have waited long enough. Must be called when {@link #nextNanos} has
   * passed.
   *
   * @param nowNanos all packets that had arrived by then were passed to {@link #inbound}: the time
   *     that packets wait unread does not count
   */
  default void release(long nowNanos, Consumer<TcpPacket> near) {}

  /** Passes on all delayed packets, since the connection is over. */
  default void flush(Consumer<TcpPacket> near) {}

  /**
   * Returns when a delayed packet is due even if nothing arrives; {@link #NEVER} if there is none.
   */
  default long nextNanos() {
    return NEVER;
  }

  /** Returns its counts so far. */
  default ProcessorCounts counts() {
    return ProcessorCounts.NONE;
  }
}
