package io.cascade.orchestrator.events;

import io.cascade.api.orchestrator.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of one subscriber. A subscriber that does not keep up is disconnected, and resumes
 * from the last event that it received.
 */
final class Subscription {
  static final int MOST_WAITING = 512;

  private final @Nullable String owner;
  private final List<Event> missed;
  private final ArrayBlockingQueue<Event> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private volatile boolean cut;

  Subscription(@Nullable String owner, List<Event> missed) {
    this.owner = owner;
    this.missed = missed;
  }

  /** The subscriber's owner; null if the caller's credential is shared. */
  @Nullable String owner() {
    return owner;
  }

  /** Events between the last one that the subscriber has seen and the subscription. */
  List<Event> missed() {
    return missed;
  }

  /**
   * @return false when the queue was full, so that the subscription is cut
   */
  boolean offer(Event event) {
    if (!cut && waiting.offer(event)) {
      return true;
    }
    cut();
    return false;
  }

  void cut() {
    cut = true;
  }

  boolean isCut() {
    return cut;
  }

  /** Returns the next event, or null when none came in time. */
  @Nullable Event next(Duration wait) throws InterruptedException {
    return waiting.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
  }
}
