package io.cascade.orchestrator.leadership;

import io.cascade.orchestrator.leadership.LeadershipState.Sign;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * One orchestrator's part in the election of the leader: it tries to take the seat periodically,
 * and renews it. Rounds run on one thread; all other methods are thread-safe.
 */
final class Election {
  private static final Logger LOG = LoggerFactory.getLogger(Election.class);

  /** Time between two attempts to take the seat. */
  static final Duration LOOK = Duration.ofSeconds(1);

  static final Duration RENEWAL = Duration.ofSeconds(2);

  /** Time until an unanswered renewal is tried again. */
  static final Duration RETRY = Duration.ofMillis(500);

  private final Seat seat;
  private final Supplier<String> address;
  private final LongSupplier nanos;
  private final UUID holder = UUID.randomUUID();
  private LeadershipState state = LeadershipState.STANDBY;
  private @Nullable Tenure tenure;
  private volatile @Nullable String leader;
  private boolean answered = true;

  /**
   * @param address current URL at which this orchestrator is reached when it leads
   * @param nanos the monotonic clock
   */
  Election(Seat seat, Supplier<String> address, LongSupplier nanos) {
    this.seat = seat;
    this.address = address;
    this.nanos = nanos;
  }

  /** Tries to take the seat, or renews it. */
  void round() {
    Tenure held = tenure();
    switch (state()) {
      case STANDBY -> look();
      case LEADING -> {
        if (held != null && !seat.isExclusive()) {
          renew(held);
        }
      }
      case FENCED, ENDED -> {}
    }
  }

  /** Time to wait until the next round. */
  synchronized Duration pause() {
    if (state != LeadershipState.LEADING) {
      return LOOK;
    }
    return answered ? RENEWAL : RETRY;
  }

  private void look() {
    long asked = nanos.getAsLong();
    try {
      Seat.Holder now = seat.take(holder, address.get());
      leader = now.leader();
      if (now.isOurs()) {
        move(Sign.TAKEN, new Tenure(now.epoch(), seat.isExclusive(), nanos, asked));
      } else {
        move(Sign.REFUSED, null);
      }
      heard(null);
    } catch (DataAccessException e) {
      heard(e);
    }
  }

  private void renew(Tenure held) {
    long asked = nanos.getAsLong();
    try {
      if (seat.renew(held.epoch(), holder, address.get())) {
        held.renewed(asked);
        move(Sign.TAKEN, held);
      } else {
        LOG.error("another orchestrator leads now: this one is on standby");
        move(Sign.REFUSED, null);
      }
      heard(null);
    } catch (DataAccessException e) {
      heard(e);
      if (!held.isHeld()) {
        LOG.error(
            "leadership could not be renewed for {}: this orchestrator is on standby",
            Tenure.LENGTH);
        move(Sign.EXPIRED, null);
      }
    }
  }

  /** Logs once that the database is unreachable, and once that it answers again. */
  private synchronized void heard(@Nullable DataAccessException failure) {
    if (failure == null && !answered) {
      LOG.info("the database answers again");
    } else if (failure != null && answered) {
      LOG.warn("the database does not answer: {}", failure.getMostSpecificCause().getMessage());
    }
    answered = failure == null;
  }

  /** Changes the state; the only method that does. */
  private synchronized void move(Sign sign, @Nullable Tenure taken) {
    LeadershipState before = state;
    state = before.after(sign);
    if (state == before) {
      return;
    }
    Tenure last = tenure;
    if (last != null) {
      last.end();
    }
    tenure = state == LeadershipState.LEADING ? taken : null;
    notifyAll();
  }

  synchronized LeadershipState state() {
    return state;
  }

  /** The tenure; null unless this orchestrator leads. */
  synchronized @Nullable Tenure tenure() {
    return tenure;
  }

  /** URL of the leader as last seen in the database; null if unknown. */
  @Nullable String leader() {
    return leader;
  }

  /** Whether the database answered when it was last asked. */
  synchronized boolean isAnswered() {
    return answered;
  }

  /** Waits until the state differs from {@code than}. */
  synchronized void awaitOther(LeadershipState than) throws InterruptedException {
    while (state == than) {
      wait();
    }
  }

  /** Reports that the application that served as the leader was closed, or could not be started. */
  void stoodDown() {
    move(Sign.STOOD_DOWN, null);
  }

  /** Ends the candidacy, and leaves the seat if this orchestrator has it. */
  void close() {
    Tenure held = tenure();
    move(Sign.CLOSED, null);
    if (held != null) {
      try {
        seat.leave(held.epoch(), holder);
      } catch (DataAccessException e) {
        LOG.warn(
            "leadership was not given up at once and expires by itself: {}",
            e.getMostSpecificCause().getMessage());
      }
    }
  }
}
