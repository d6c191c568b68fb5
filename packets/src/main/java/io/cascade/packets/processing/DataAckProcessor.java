package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import java.util.function.Consumer;

/**
 * Decides what becomes of the packets of one connection. Knows no clock; all times are given, in
 * nanoseconds that never go back. Used by one thread.
 */
public interface DataAckProcessor {
  long NEVER = Long.MAX_VALUE;

  /** A packet that goes to the far side. */
  Operation outbound(TcpPacket packet, long nowNanos);

  /** A packet that came from the far side. */
  Operation inbound(TcpPacket packet, PipeId from, long nowNanos);

  /** Hands out the packets that waited for the latest one, in order. To be called after it. */
  default void handOut(Consumer<TcpPacket> near) {}

  /**
   * Hands out what has waited for long enough. To be called when {@link #nextNanos} has come.
   *
   * @param nowNanos what had arrived by then was given to {@link #inbound}: what waits unread has
   *     not been waited for
   */
  default void release(long nowNanos, Consumer<TcpPacket> near) {}

  /** Hands out all that was delayed: the connection is over. */
  default void flush(Consumer<TcpPacket> near) {}

  /** Returns when a delayed packet is due even if nothing comes; {@link #NEVER} without one. */
  default long nextNanos() {
    return NEVER;
  }

  /** Returns what it did so far. */
  default ProcessorCounts counts() {
    return ProcessorCounts.NONE;
  }
}
