package io.cascade.client.entries;

import java.nio.channels.ReadableByteChannel;
import java.util.List;

/**
 * A stream of entries that asks its receiver what it has, and sends the rest. A read that returns 0
 * has no bytes yet. Thread-safe.
 */
public interface EntrySource extends ReadableByteChannel {
  /** Whether nothing can be read before the receiver has answered. Does not block. */
  boolean isWaiting();

  /**
   * Records answers of the receiver.
   *
   * @param first number of the first entry that they are for
   */
  void answered(long first, List<StandingEntry> standing);

  /** Answers may have been lost with a connection: outstanding ones are not waited for. */
  void answersLost();
}
