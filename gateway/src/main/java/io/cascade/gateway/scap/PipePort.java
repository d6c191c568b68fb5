package io.cascade.gateway.scap;

import io.cascade.packets.encapsulation.PipeMeasurement;
import io.cascade.packets.encapsulation.PipeReport;
import org.jspecify.annotations.Nullable;

/** Sends and receives packets over a pipe. Used by one thread. */
interface PipePort extends AutoCloseable {
  /** The descriptor to poll for packets. */
  int descriptor();

  /**
   * Sends a packet.
   *
   * @return whether the kernel accepted it
   */
  boolean send(byte[] packet, long nowNanos);

  /**
   * Processes bytes read from the descriptor, and passes on the packet in them, if there is one.
   */
  void read(byte[] bytes, int length, long nowNanos, Taker taker);

  /**
   * Sends a message to the peer's signalling unit.
   *
   * @return whether it could be sent
   */
  boolean signal(byte[] message, long nowNanos);

  /** Receives what arrived by a pipe. */
  interface Taker {
    void packet(byte[] packet);

    void signal(byte[] message);
  }

  /** Performs due work. */
  void tick(long nowNanos);

  /** Returns the time of the next due work of {@link #tick}. */
  long nextNanos();

  /** Whether its device exists, is up, and has a carrier. */
  boolean deviceIsUp();

  /** Whether the pipe delivers, as far as is known. */
  boolean isUp(long nowNanos);

  /** Returns the measurements; null where there are none, or none yet. */
  @Nullable PipeMeasurement measurement();

  /** Returns the counters of its end; null for a bare device. */
  @Nullable PipeReport report();

  @Override
  void close();
}
