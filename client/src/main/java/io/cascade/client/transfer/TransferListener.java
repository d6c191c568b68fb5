package io.cascade.client.transfer;

import io.cascade.client.transfer.wire.TransferHeader;
import org.jspecify.annotations.Nullable;

/** Observes a running transfer. Called on the thread that moves the bytes: must return quickly. */
public interface TransferListener {
  /** Ignores all calls. */
  TransferListener SILENT = new TransferListener() {};

  /** The header has been sent or accepted. */
  default void started(TransferHeader header) {}

  /** Reports how many bytes of the file have been moved so far. */
  default void moved(long bytes) {}

  /**
   * Creates the listener of one of several concurrently arriving transfers.
   *
   * @param from address of the sender
   */
  default TransferListener of(TransferHeader header, String from) {
    return this;
  }

  /** The receiver processes other transfers first; the place in its queue, from 1. */
  default void waits(int place) {}

  /** A connection was added on this way. */
  default void joined(String way) {}

  /** A connection ended before the transfer did; its blocks in flight are sent over another one. */
  default void left(String way, String why) {}

  /** The last connection ended before the transfer did, and another one is attempted. */
  default void retries(String why) {}

  /**
   * The slowest part of the transfer has changed.
   *
   * @param what null where unknown
   */
  default void slowedBy(@Nullable Bottleneck what) {}

  /** The transfer has ended, successfully or not. */
  default void ended() {}
}
