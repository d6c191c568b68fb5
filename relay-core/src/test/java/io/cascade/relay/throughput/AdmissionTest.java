package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private final ManualClock clock = new ManualClock();
  private final AtomicBoolean draining = new AtomicBoolean();
  private long moved;
  private final StreamActivity streams = new StreamActivity(() -> moved, clock);
  private final TestBudget budget = new TestBudget(1_000, clock);
  private final Admission admission = new Admission(budget, streams, draining::get);

  @Test
  void oneTestAtATime() throws Exception {
    Admission.Place place = admission.admit(id(1), 100);
    refused(id(2), 100, TestRefused.Reason.BUSY);
    place.leave(100);
    assertThat(admission.admit(id(2), 100)).isNotNull();
  }

  @Test
  void leavingTwiceDoesNotFreeTheNextOnesPlace() throws Exception {
    Admission.Place first = admission.admit(id(1), 100);
    first.leave(50);
    Admission.Place second = admission.admit(id(2), 100);
    first.leave(0);
    refused(id(3), 100, TestRefused.Reason.BUSY);
    second.leave(0);
    assertThat(budget.leftBytes()).isEqualTo(950);
  }

  @Test
  void anIdentifierOnce() throws Exception {
    admission.admit(id(1), 100).leave(0);
    refused(id(1), 100, TestRefused.Reason.BUSY).hasMessageContaining("fix: a new testId");
  }

  @Test
  void notBesideStreamsThatMoveBulk() throws Exception {
    streams.look();
    moved = 1_000_000;
    clock.pass(Duration.ofMillis(500));
    refused(id(1), 100, TestRefused.Reason.STREAMS);
    clock.pass(Duration.ofSeconds(9));
    assertThat(admission.admit(id(1), 100)).isNotNull(); // what was refused was not used up
  }

  @Test
  void notBeyondTheHoursBytes() throws Exception {
    admission.admit(id(1), 700).leave(700);
    refused(id(2), 301, TestRefused.Reason.BUDGET)
        .hasMessageContaining("300 bytes")
        .satisfies(
            e -> assertThat(((TestRefused) e).retryAfter()).isEqualTo(Duration.ofMinutes(61)));
    assertThat(admission.admit(id(2), 300)).isNotNull();
  }

  @Test
  void aTestThatCanNeverBeSaysHowToAllowIt() {
    refused(id(1), 1_001, TestRefused.Reason.BUDGET)
        .hasMessageContaining("--test-budget")
        .satisfies(e -> assertThat(((TestRefused) e).retryAfter()).isNull());
  }

  @Test
  void notWhileTheRelayStops() {
    draining.set(true);
    refused(id(1), 1, TestRefused.Reason.DRAINING);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(
      UUID test, long bytes, TestRefused.Reason reason) {
    return assertThatThrownBy(() -> admission.admit(test, bytes))
        .isInstanceOfSatisfying(
            TestRefused.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
  }

  private static UUID id(int number) {
    return new UUID(0, number);
  }
}
