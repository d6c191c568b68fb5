package io.cascade.orchestrator.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

/** Who leads, by a seat and clocks that are set by hand. */
class ElectionTest {
  private final FakeSeat seat = new FakeSeat();
  private long nanos;
  private final Election first = new Election(seat, () -> "http://first", () -> nanos);
  private final Election second = new Election(seat, () -> "http://second", () -> nanos);

  @Test
  void whoeverLooksFirstLeadsAndTheOtherKnowsWhereItIs() {
    first.round();
    second.round();

    assertThat(tenure(first).isHeld()).isTrue();
    assertThat(second.tenure()).isNull();
    assertThat(second.leader()).isEqualTo("http://first");
  }

  @Test
  void whereALeadersKeyChangesTheOtherKnowsItAfterTheNextRenewal() {
    AtomicReference<String> address = new AtomicReference<>("https://leader#key1");
    Election leader = new Election(seat, address::get, () -> nanos);
    leader.round();
    address.set("https://leader#key2");
    leader.round();
    second.round();

    assertThat(second.leader()).isEqualTo("https://leader#key2");
  }

  @Test
  void aLeaderThatRenewsLeads() {
    first.round();
    for (int i = 0; i < 20; i++) {
      pass(Election.RENEWAL);
      first.round();
      second.round();
    }

    assertThat(tenure(first).isHeld()).isTrue();
    assertThat(second.tenure()).isNull();
  }

  @Test
  void ofALeaderThatIsStoppedTheTenureEndsBeforeTheNextOneBegins() {
    first.round();
    Tenure stopped = tenure(first);

    pass(Tenure.LENGTH.minusMillis(1));
    second.round();
    assertThat(second.tenure()).isNull();
    assertThat(stopped.isHeld()).isTrue();

    pass(Duration.ofMillis(1));
    assertThat(stopped.isHeld()).isFalse();
    second.round();
    assertThat(tenure(second).epoch()).isGreaterThan(stopped.epoch());

    first.round();
    assertThat(first.state()).isEqualTo(LeadershipState.FENCED);
  }

  @Test
  void itIsNotElectedAgainBeforeWhatServedIsClosed() {
    first.round();
    seat.isAway = true;
    pass(Tenure.LENGTH);
    first.round();
    seat.isAway = false;

    first.round();
    assertThat(first.state()).isEqualTo(LeadershipState.FENCED);
    first.stoodDown();
    first.round();

    assertThat(first.state()).isEqualTo(LeadershipState.LEADING);
  }

  @Test
  void aTenureThatIsOverStaysSoWhenItsOrchestratorIsElectedAgain() {
    first.round();
    Tenure before = tenure(first);
    seat.isAway = true;
    pass(Tenure.LENGTH);
    first.round();
    seat.isAway = false;
    first.stoodDown();
    first.round();

    assertThat(before.isHeld()).isFalse();
    assertThat(tenure(first).epoch()).isGreaterThan(before.epoch());
  }

  @Test
  void aDatabaseThatIsAwayForShortEndsNoTenure() {
    first.round();
    seat.isAway = true;
    pass(Duration.ofSeconds(8));
    first.round();
    assertThat(first.pause()).isEqualTo(Election.RETRY);
    seat.isAway = false;
    first.round();
    pass(Duration.ofSeconds(8));

    assertThat(tenure(first).isHeld()).isTrue();
  }

  @Test
  void whereTheDatabasesClockIsSteppedAheadTheFormerLeaderIsToldAtItsNextRenewal() {
    first.round();
    seat.ahead = Duration.ofHours(1);
    second.round();
    first.round();

    assertThat(tenure(second).isHeld()).isTrue();
    assertThat(first.state()).isEqualTo(LeadershipState.FENCED);
  }

  @Test
  void whoeverClosesLeavesTheSeatAtOnce() {
    first.round();
    first.close();
    second.round();

    assertThat(tenure(second).isHeld()).isTrue();
    first.round();
    assertThat(first.state()).isEqualTo(LeadershipState.ENDED);
  }

  @Test
  void theSeatOfADatabaseThatNobodyElseCanOpenIsTakenAtOnceAndNeverLost() {
    first.round();
    seat.isExclusive = true;
    Election next = new Election(seat, () -> "http://next", () -> nanos);
    next.round();
    seat.isAway = true;
    pass(Duration.ofDays(1));
    next.round();

    assertThat(tenure(next).isHeld()).isTrue();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private static Tenure tenure(Election of) {
    return Objects.requireNonNull(of.tenure());
  }

  private final class FakeSeat implements Seat {
    private boolean isAway;
    private boolean isExclusive;
    private Duration ahead = Duration.ZERO;
    private long epoch;
    private @Nullable UUID held;
    private @Nullable String leader;
    private long renewedAt;

    @Override
    public Holder take(UUID holder, String address) {
      answer();
      if (isExclusive || held == null || now() - renewedAt >= Tenure.LENGTH.toNanos()) {
        epoch++;
        held = holder;
        leader = address;
        renewedAt = now();
      }
      return new Holder(epoch, holder.equals(held), leader);
    }

    @Override
    public boolean renew(long of, UUID holder, String address) {
      answer();
      if (of != epoch || !holder.equals(held)) {
        return false;
      }
      renewedAt = now();
      leader = address;
      return true;
    }

    @Override
    public void leave(long of, UUID holder) {
      if (renew(of, holder, "")) {
        held = null;
      }
    }

    @Override
    public boolean isExclusive() {
      return isExclusive;
    }

    private long now() {
      return nanos + ahead.toNanos();
    }

    private void answer() {
      if (isAway) {
        throw new DataAccessResourceFailureException("away");
      }
    }
  }
}
