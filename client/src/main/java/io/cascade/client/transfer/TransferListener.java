package io.cascade.client.transfer;

import io.cascade.client.transfer.wire.TransferHeader;
import org.jspecify.annotations.Nullable;

/** Hears of a transfer while it runs, on the thread that moves the bytes: be quick. */
public interface TransferListener {
  /** Hears nothing. */
  TransferListener SILENT = new TransferListener() {};

  /** The header has been sent or has been accepted. */
  default void started(TransferHeader header) {}

  /** Tells how many bytes of the file have been moved so far. */
  default void moved(long bytes) {}

  /**
   * The listener of one of several transfers that arrive at the same time.
   *
   * @param from address of the sender
   */
  default TransferListener of(TransferHeader header, String from) {
    return this;
  }

  /** The receiver has other transfers first; this one's place in its queue, from 1. */
  default void waits(int place) {}

  /** A connection was added, on this way. */
  default void joined(String way) {}

  /** A connection ended before the transfer did; what it had under way goes over another one. */
  default void left(String way, String why) {}

  /** The last connection ended before the transfer did, and another one is tried for. */
  default void retries(String why) {}

  /**
   * Another part of the transfer is the slowest than before.
   *
   * @param what null where that is not known
   */
  default void slowedBy(@Nullable Bottleneck what) {}

  /** The transfer is over, well or badly. */
  default void ended() {}
}
