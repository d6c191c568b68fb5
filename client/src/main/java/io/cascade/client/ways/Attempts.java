package io.cascade.client.ways;

import io.cascade.client.transfer.FileTransfer;
import java.time.Duration;
import java.util.function.Consumer;

/** Pauses between attempts to reach a peer, for as long as a transfer persists. */
public final class Attempts {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final FileTransfer transfer;
  private final RetryNotes notes;

  /**
   * @param notes is told each reason once
   */
  public Attempts(FileTransfer transfer, Consumer<String> notes) {
    this.transfer = transfer;
    this.notes = new RetryNotes(notes);
  }

  /**
   * Waits before another attempt.
   *
   * @throws E the failure, where no time is left for another attempt
   */
  public <E extends Exception> void awaitNext(E failure) throws E, InterruptedException {
    if (!transfer.persists()) {
      throw failure;
    }
    notes.tell(failure);
    transfer.pause(PAUSE);
    if (!transfer.persists()) {
      throw failure;
    }
  }
}
