package io.cascade.client.ways;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.client.transfer.connection.TransferFailed;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends entries by one transfer after the other, each when the last connection of the previous one
 * failed: a stream of entries cannot outlive that, and the next one sends what the receiver does
 * not have.
 */
public final class RepeatedTransfer {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Null for a single transfer. */
  private final @Nullable Duration retryFor;

  private final RetryNotes notes;

  /**
   * @param retryFor how long nothing may arrive; null to end with the first transfer
   * @param notes is told each reason once
   */
  public RepeatedTransfer(@Nullable Duration retryFor, Consumer<String> notes) {
    this.retryFor = retryFor;
    this.notes = new RetryNotes(notes);
  }

  /** One transfer. */
  @FunctionalInterface
  public interface Attempt<T, E extends Exception> {
    /**
     * Sends everything that the receiver does not have.
     *
     * @param left how long nothing may arrive from now on; null for a single transfer
     */
    T send(@Nullable Duration left) throws E;
  }

  /**
   * Sends until everything has arrived.
   *
   * @throws E the failure of the last transfer: the time was over, or another one would not help
   */
  public <T, E extends Exception> T run(Attempt<T, E> attempt) throws E, TransferFailed {
    Duration longest = retryFor;
    if (longest == null) {
      return attempt.send(null);
    }
    long deadline = System.nanoTime() + longest.toNanos();
    boolean reached = false;
    while (true) {
      try {
        return attempt.send(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
      } catch (Exception e) {
        if (!mayHelp(e, reached)) {
          throw e;
        }
        reached = true;
        long now = System.nanoTime();
        if (e instanceof TransferFailed lost && lost.path() == TransferFailed.Path.LOST_LATER) {
          deadline = now + longest.toNanos();
        }
        if (deadline - now <= 0 || !hasPaused(e)) {
          throw e;
        }
      }
    }
  }

  /**
   * @param reached whether the receiver was reached before
   */
  private static boolean mayHelp(Exception why, boolean reached) {
    if (!(why instanceof TransferFailed failure)) {
      // A failure of the orchestrator, or of a relay that has not returned yet.
      return reached && (why instanceof ProblemException || isAway(why) || isAway(why.getCause()));
    }
    return switch (failure.path()) {
      case STOOD -> false;
      case NOT_REACHED, UNANSWERED -> reached;
      case LOST_AT_ONCE, LOST_LATER -> true;
    };
  }

  private static boolean isAway(@Nullable Throwable why) {
    return why instanceof UnreachableException away && !away.isAboutTrust();
  }

  /** Returns false where the thread was interrupted; its interrupt flag stays set. */
  private boolean hasPaused(Exception failure) {
    notes.tell(failure);
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
