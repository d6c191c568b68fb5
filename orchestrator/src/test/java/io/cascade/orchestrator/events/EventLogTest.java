package io.cascade.orchestrator.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class EventLogTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final EventLog log =
      new EventLog(new Timekeeper(Clock.fixed(NOW, ZoneOffset.UTC), () -> 0));

  @Test
  void aSubscriberThatResumesGetsWhatItMissedAndThenWhatComes() throws InterruptedException {
    publish(3);
    long first = log.subscribe(null, 0L).missed().getFirst().id();

    Subscription resumed = log.subscribe(null, first);
    publish(1);

    assertThat(resumed.missed()).extracting(Event::id).containsExactly(first + 1, first + 2);
    assertThat(resumed.next(Duration.ofSeconds(1)).id()).isEqualTo(first + 3);
  }

  @Test
  void aMessageIsOneLineWhateverARelayOrACallerWrote() {
    log.relay(EventType.RELAY_LOST, "r1", "r1\r\n2026-01-01 WARN\u2028forged\u001b[2J\u202e");

    assertThat(log.subscribe(null, 0L).missed())
        .extracting(Event::message)
        .containsExactly("r1  2026-01-01 WARN forged [2J ");
  }

  @Test
  void theLastThousandAreKept() {
    publish(EventLog.KEPT + 5);

    List<Event> missed = log.subscribe(null, 0L).missed();

    assertThat(missed).hasSize(EventLog.KEPT);
    assertThat(missed.getFirst().message()).isEqualTo("event 5");
  }

  @Test
  void numbersGrowAcrossRestarts() {
    publish(10);
    long before = log.subscribe(null, 0L).missed().getLast().id();

    EventLog next =
        new EventLog(new Timekeeper(Clock.fixed(NOW.plusMillis(500), ZoneOffset.UTC), () -> 0));
    next.relay(EventType.RELAY_REGISTERED, "r1", "first of the new life");

    assertThat(next.subscribe(null, before).missed()).hasSize(1);
  }

  @Test
  void whoeverDoesNotKeepUpIsCutAndNobodyWaitsForIt() throws InterruptedException {
    Subscription slow = log.subscribe(null, null);
    Subscription quick = log.subscribe(null, null);
    int more = Subscription.MOST_WAITING + 1;
    for (int i = 0; i < more; i++) {
      publish(1);
      assertThat(quick.next(Duration.ofSeconds(1))).isNotNull();
    }

    assertThat(slow.isCut()).isTrue();
    assertThat(quick.isCut()).isFalse();
    assertThat(log.subscribers()).isEqualTo(1);
  }

  @Test
  void subscribersBeyondTheLimitAreRefused() {
    IntStream.range(0, EventLog.MOST_SUBSCRIBERS).forEach(_ -> log.subscribe(null, null));

    assertThatThrownBy(() -> log.subscribe(null, null))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.TOO_MANY_SUBSCRIBERS));
  }

  @Test
  void aCallerHasAQuarterOfThePlaces() {
    IntStream.range(0, EventLog.MOST_OF_CALLER).forEach(_ -> log.subscribe("viewer/bob", null));
    IntStream.range(0, EventLog.MOST_OF_CALLER + 1).forEach(_ -> log.subscribe(null, null));

    assertThatThrownBy(() -> log.subscribe("viewer/bob", null))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.TOO_MANY_SUBSCRIBERS));
    log.unsubscribe(log.subscribe("viewer/alice", null));
  }

  @Test
  void stoppingEndsEverySubscription() {
    Subscription subscription = log.subscribe(null, null);

    log.stop();

    assertThat(subscription.isCut()).isTrue();
    assertThatThrownBy(() -> log.subscribe(null, null)).hasMessageContaining("stopping");
  }

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      log.relay(EventType.RELAY_REGISTERED, "r1", "event " + i);
    }
  }
}
