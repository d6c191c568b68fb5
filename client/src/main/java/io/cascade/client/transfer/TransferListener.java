package io.cascade.client.transfer;

/** Hears of a transfer while it runs, on the thread that moves the bytes: be quick. */
public interface TransferListener {
  /** Hears nothing. */
  TransferListener SILENT = new TransferListener() {};

  /** The header has been sent or has been accepted. */
  default void started(TransferHeader header) {}

  /** Tells how many bytes of the file have been moved so far. */
  default void moved(long bytes) {}

  /** The transfer is over, well or badly. */
  default void ended() {}
}
