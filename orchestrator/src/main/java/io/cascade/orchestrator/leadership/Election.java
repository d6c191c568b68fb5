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
 * One orchestrator's part in who leads: it looks for the seat again and again, and keeps it. Rounds
 * are run by one thread; everything else is for any.
 */
final class Election {
  private static final Logger LOG = LoggerFactory.getLogger(Election.class);

  /** Time between two looks for a free seat. */
  static final Duration LOOK = Duration.ofSeconds(1);

  static final Duration RENEWAL = Duration.ofSeconds(2);

  /** Time until a renewal is tried again that got no answer. */
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
   * @param address where this orchestrator is reached when it leads, as of now
   * @param nanos the monotonic clock
   */
  Election(Seat seat, Supplier<String> address, LongSupplier nanos) {
    this.seat = seat;
    this.address = address;
    this.nanos = nanos;
  }

  /** Looks for the seat, or keeps it. */
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

  /** How long to wait for the next round. */
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
        LOG.error("another orchestrator leads now: this one stands by");
        move(Sign.REFUSED, null);
      }
      heard(null);
    } catch (DataAccessException e) {
      heard(e);
      if (!held.isHeld()) {
        LOG.error("the seat could not be kept for {}: this one stands by", Tenure.LENGTH);
        move(Sign.EXPIRED, null);
      }
    }
  }

  /** Says once that the database is away, and once that it is back. */
  private synchronized void heard(@Nullable DataAccessException failure) {
    if (failure == null && !answered) {
      LOG.info("the database answers again");
    } else if (failure != null && answered) {
      LOG.warn("the database is away: {}", failure.getMostSpecificCause().getMessage());
    }
    answered = failure == null;
  }

  /** The one place where the state changes. */
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

  /** While it leads. */
  synchronized @Nullable Tenure tenure() {
    return tenure;
  }

  /** Where the leader is reached, as far as this one knows. */
  @Nullable String leader() {
    return leader;
  }

  /** Whether the database answered when it was last asked. */
  synchronized boolean isAnswered() {
    return answered;
  }

  /** Waits until it stands otherwise. */
  synchronized void awaitOther(LeadershipState than) throws InterruptedException {
    while (state == than) {
      wait();
    }
  }

  /** What served as the leader is closed, or could not be started. */
  void stoodDown() {
    move(Sign.STOOD_DOWN, null);
  }

  /** Ends for good, and leaves the seat if this one has it. */
  void close() {
    Tenure held = tenure();
    move(Sign.CLOSED, null);
    if (held != null) {
      try {
        seat.leave(held.epoch(), holder);
      } catch (DataAccessException e) {
        LOG.warn("the seat is left once it is lost: {}", e.getMostSpecificCause().getMessage());
      }
    }
  }
}
