package io.cascade.carriage.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends datagrams to one peer, in batches. Used on one event loop. */
public interface DatagramCarrier {
  /** Whether a datagram may be written now. */
  boolean hasRoom(int bytes);

  /** The buffer for the next datagram, which is written from its position on. */
  ByteBuffer buffer();

  /** Adds the last written bytes as a datagram; {@link #flush} sends it. */
  void add(int length);

  /**
   * Sends what was added.
   *
   * @return whether all was sent; otherwise its user is notified when there is room again
   */
  boolean flush() throws IOException;
}
