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

  /**
   * Hands out inbound packets that were delayed and are due, in order. To be called after {@link
   * #inbound} and when {@link #nextNanos} has come.
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
