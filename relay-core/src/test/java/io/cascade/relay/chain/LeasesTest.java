package io.cascade.relay.chain;

import static io.cascade.relay.chain.Leases.State.ATTENDED;
import static io.cascade.relay.chain.Leases.State.OVER;
import static io.cascade.relay.chain.Leases.State.UNATTENDED;
import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeasesTest {
  private static final Duration ALONE = Duration.ofHours(2);

  private final ManualClock clock = new ManualClock();
  private final Leases leases = new Leases(clock.clock(), ALONE);

  @Test
  void aPartWithoutARenewalIsUnattendedUntilItHasServedAloneForLongEnough() {
    Lease lease = leases.grant(60);
    clock.pass(Duration.ofSeconds(60));
    assertThat(leases.of(lease)).isEqualTo(ATTENDED);
    clock.pass(Duration.ofNanos(1));
    assertThat(leases.of(lease)).isEqualTo(UNATTENDED);
    clock.pass(ALONE.minusSeconds(60).minusNanos(2));
    assertThat(leases.of(lease)).isEqualTo(UNATTENDED);
    clock.pass(Duration.ofNanos(1));
    assertThat(leases.of(lease)).isEqualTo(OVER);
  }

  @ParameterizedTest
  @ValueSource(longs = {-315_360_000, -3_600, -61, 61, 3_600, 315_360_000})
  void stepsOfTheTimeOfDayChangeNothing(long seconds) {
    Lease lease = leases.grant(60);
    clock.step(Duration.ofSeconds(seconds));
    assertThat(leases.of(lease)).isEqualTo(ATTENDED);
    assertThat(leases.left(lease)).isEqualTo(Duration.ofSeconds(60));
    clock.pass(Duration.ofSeconds(61));
    clock.step(Duration.ofSeconds(-seconds));
    assertThat(leases.of(lease)).isEqualTo(UNATTENDED);
  }

  @Test
  void whatPeopleReadFollowsTheTimeOfDay() {
    Lease lease = leases.grant(60);
    clock.step(Duration.ofHours(1));
    assertThat(leases.endsAt(lease))
        .isEqualTo(ManualClock.START.plus(Duration.ofHours(1)).plusSeconds(60));
    assertThat(leases.servesUntil(lease))
        .isEqualTo(ManualClock.START.plus(Duration.ofHours(1)).plus(ALONE));
  }

  @Test
  void whereNothingMayBeServedAloneTheLeaseIsTheEnd() {
    Leases none = new Leases(clock.clock(), Duration.ZERO);
    Lease lease = none.grant(60);
    clock.pass(Duration.ofSeconds(60));
    none.contacted();
    assertThat(none.of(lease)).isEqualTo(ATTENDED);
    clock.pass(Duration.ofNanos(1));
    assertThat(none.of(lease)).isEqualTo(OVER);
  }

  @Test
  void anOrchestratorThatAnswersIsNotAway() {
    Lease lease = leases.grant(60);
    clock.pass(ALONE.minusSeconds(1));
    leases.contacted();
    clock.pass(ALONE.minusSeconds(1));
    assertThat(leases.of(lease)).isEqualTo(UNATTENDED);
    clock.pass(Duration.ofSeconds(1));
    assertThat(leases.of(lease)).isEqualTo(OVER);
  }

  @Test
  void aSuccessorCountsOnWhateverItsClocksSay() {
    Lease lease = leases.grant(60);
    clock.pass(Duration.ofMinutes(10));
    ManualClock elsewhere = new ManualClock(7_000_000_000_000L);
    elsewhere.step(Duration.ofDays(-400));
    Leases successor = new Leases(elsewhere.clock(), ALONE);
    Lease inherited = successor.inherit(leases.left(lease), leases.sinceContact(lease));
    assertThat(successor.left(inherited)).isEqualTo(Duration.ofMinutes(-9));
    assertThat(successor.of(inherited)).isEqualTo(UNATTENDED);
    elsewhere.pass(ALONE.minusMinutes(10));
    assertThat(successor.of(inherited)).isEqualTo(OVER);
  }

  @Test
  void servingAloneIsLoggedOnceAndItsEndOnce() {
    List<String> lines = new ArrayList<>();
    Handler reader =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger(Leases.class.getName());
    log.addHandler(reader);
    try {
      Lease lease = leases.grant(60);
      leases.report(null, 0, 0);
      clock.pass(Duration.ofSeconds(90));
      leases.report(lease, 3, 0);
      leases.report(lease, 2, 0);
      leases.report(null, 0, 0);
      leases.report(null, 0, 0);
      assertThat(lines).hasSize(2);
      assertThat(lines.getFirst())
          .contains("since 2026-03-01T12:00:00Z", "3 chains", "until 2026-03-01T14:00:00Z");
      assertThat(lines.getLast()).contains("contact with the orchestrator is restored");
      leases.report(lease, 2, 0);
      leases.report(null, 0, 2);
      assertThat(lines).hasSize(4);
      assertThat(lines.getLast()).contains("2 chains accept no more streams", "--serve-alone");
    } finally {
      log.removeHandler(reader);
    }
  }
}
