package io.cascade.relay.stream;

import io.cascade.carriage.transport.Connection;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a stream after one of its connections failed, once the other has delivered what the failed
 * one had sent, since a reset makes the kernel drop unsent data. The wait is bounded.
 */
final class DelayedReset {
  /** Time within which data that preceded a failure must reach the peer before the reset. */
  static final Duration MOST = Duration.ofSeconds(5);

  /** Time until the reset if a transport cannot tell what was delivered. */
  private static final Duration BLIND = Duration.ofMillis(500);

  private static final Duration FIRST_LOOK = Duration.ofMillis(1);
  private static final Duration LONGEST_LOOK = Duration.ofMillis(50);

  private final RelayStream stream;
  private final Connection survivor;
  private final CloseReason why;
  private final ScheduledFuture<?> patience;

  /** Starts the wait. Called on the stream's event loop. */
  DelayedReset(RelayStream stream, Connection survivor, CloseReason why) {
    this.stream = stream;
    this.survivor = survivor;
    this.why = why;
    this.patience = schedule(() -> stream.end(why), MOST);
  }

  /** The survivor's kernel has accepted everything. */
  void handedOn() {
    look(FIRST_LOOK);
  }

  void cancel() {
    patience.cancel(false);
  }

  private void look(Duration pause) {
    if (!stream.isFailing()) {
      return;
    }
    switch (survivor.delivery()) {
      case DELIVERED, LOST -> stream.end(why);
      case UNKNOWN -> schedule(() -> stream.end(why), BLIND);
      case PENDING -> {
        Duration next = pause.compareTo(LONGEST_LOOK) < 0 ? pause.multipliedBy(2) : LONGEST_LOOK;
        schedule(() -> look(next), pause);
      }
    }
  }

  private ScheduledFuture<?> schedule(Runnable task, Duration pause) {
    return survivor.eventLoop().schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
  }
}
