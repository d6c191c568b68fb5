package io.cascade.client.entries;

import java.nio.channels.ReadableByteChannel;
import java.util.List;

/**
 * A stream of entries that asks its receiver what stands there, and sends the rest. A read that
 * returns 0 has nothing to yield yet. Used by any thread.
 */
public interface EntrySource extends ReadableByteChannel {
  /** Whether nothing can be read before the receiver has answered. Does not wait. */
  boolean isWaiting();

  /**
   * The receiver has answered.
   *
   * @param first number of the first entry that it answers for
   */
  void answered(long first, List<StandingEntry> standing);

  /** Answers may have been lost with a connection: nothing waits for those that are due. */
  void answersLost();
}
