package io.cascade.gateway.scap;

import io.cascade.packets.encapsulation.PipeMeasurement;
import io.cascade.packets.encapsulation.PipeReport;
import org.jspecify.annotations.Nullable;

/** Sends packets by a pipe and takes those that it brings. Used by one thread. */
interface PipePort extends AutoCloseable {
  /** The descriptor to poll for packets. */
  int descriptor();

  /**
   * Sends a packet.
   *
   * @return whether the kernel took it
   */
  boolean send(byte[] packet, long nowNanos);

  /** Takes what was read from the descriptor, and hands on what is in it, if there is something. */
  void read(byte[] bytes, int length, long nowNanos, Taker taker);

  /**
   * Sends a message to the peer's signalling unit.
   *
   * @return whether there was a way for it
   */
  boolean signal(byte[] message, long nowNanos);

  /** Takes what came by a pipe. */
  interface Taker {
    void packet(byte[] packet);

    void signal(byte[] message);
  }

  /** Does what is due. */
  void tick(long nowNanos);

  /** Returns when {@link #tick} has something to do. */
  long nextNanos();

  /** Whether its device is there, up, and has a carrier. */
  boolean deviceIsUp();

  /** Whether the pipe delivers, as far as is known. */
  boolean isUp(long nowNanos);

  /** Returns what was measured; null where nothing is, or was yet. */
  @Nullable PipeMeasurement measurement();

  /** Returns what its end has counted; null for a bare device. */
  @Nullable PipeReport report();

  @Override
  void close();
}
