package io.cascade.carriage.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes datagrams for one peer, in batches. Used on one event loop. */
public interface DatagramCarrier {
  /** Whether a datagram may be written now. */
  boolean hasRoom(int bytes);

  /** The buffer for the next datagram, which is written from its position on. */
  ByteBuffer buffer();

  /** Takes the bytes that were written last as a datagram; it leaves with {@link #flush}. */
  void add(int length);

  /**
   * Sends what was added.
   *
   * @return whether all has left; otherwise its user is told when there is room again
   */
  boolean flush() throws IOException;
}
