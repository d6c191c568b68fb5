package io.cascade.client.ways;

import io.cascade.client.transfer.TransferFailed;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries that are sent by one transfer after the other, each where the last connection of the one
 * before broke: a stream of entries cannot outlive that, and the next one sends what does not stand
 * at the receiver.
 */
public final class RepeatedTransfer {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Null where there is one transfer alone. */
  private final @Nullable Duration retryFor;

  private final Consumer<String> notes;
  private String told = "";

  /**
   * @param retryFor how long nothing may arrive; null to end with the first transfer
   * @param notes is told each reason once
   */
  public RepeatedTransfer(@Nullable Duration retryFor, Consumer<String> notes) {
    this.retryFor = retryFor;
    this.notes = notes;
  }

  /** One transfer. */
  @FunctionalInterface
  public interface Attempt<T, E extends Exception> {
    /**
     * Sends everything that does not stand at the receiver.
     *
     * @param left how long nothing may arrive from now on; null where there is one transfer alone
     */
    T send(@Nullable Duration left) throws E;
  }

  /**
   * Sends until all has arrived.
   *
   * @throws E the failure of the last transfer: the time was over, or no other one would help
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
        if (!(e instanceof TransferFailed failure) || !mayHelp(failure, reached)) {
          throw e;
        }
        reached = true;
        long now = System.nanoTime();
        if (failure.path() == TransferFailed.Path.LOST_LATER) {
          deadline = now + longest.toNanos();
        }
        if (deadline - now <= 0) {
          throw failure;
        }
        pause(failure);
      }
    }
  }

  /**
   * @param reached whether the receiver was there before
   */
  private static boolean mayHelp(TransferFailed failure, boolean reached) {
    return switch (failure.path()) {
      case STOOD -> false;
      case UNANSWERED -> reached;
      case LOST_AT_ONCE, LOST_LATER -> true;
    };
  }

  private void pause(TransferFailed failure) throws TransferFailed {
    String why = String.valueOf(failure.getMessage());
    if (!why.equals(told)) {
      notes.accept(why + "; trying again");
    }
    told = why;
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
  }
}
