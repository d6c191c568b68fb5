package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LostRelaysTest {
  private static final Duration LIMIT = Duration.ofDays(7);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private long nanos;
  private Duration stepped = Duration.ZERO; // before the timekeeper, which looks at the clock
  private final InstantSource hands = () -> START.plus(this.stepped).plusNanos(this.nanos);
  private final Timekeeper time = new Timekeeper(hands.withZone(ZoneOffset.UTC), () -> this.nanos);
  private final List<RegisteredRelay> relays = new ArrayList<>();
  private final List<String> forgotten = new ArrayList<>();
  private final Set<String> used = new HashSet<>();

  private final LostRelays lost =
      new LostRelays(
          () -> List.copyOf(relays),
          relay -> forgotten.add(relay.name()),
          List.of(relay -> used.contains(relay) ? List.of("a chain") : List.of()),
          new ForgetLost(LIMIT),
          time);

  @Test
  void aLostRelayIsForgottenWhenItsTimeHasCome() {
    relays.add(relay("gone", RelayStatus.LOST, START));
    relays.add(relay("present", RelayStatus.UP, START));
    lost.look();
    pass(LIMIT.minusNanos(1));
    lost.look();
    assertThat(forgotten).isEmpty();

    pass(Duration.ofNanos(1));
    lost.look();

    assertThat(forgotten).containsExactly("gone");
  }

  @Test
  void aRelayThatStoppedIsForgottenAfterAnHour() {
    relays.add(relay("stopped", RelayStatus.STOPPED, START));
    lost.look();
    pass(Duration.ofHours(1).minusNanos(1));
    lost.look();
    assertThat(forgotten).isEmpty();

    pass(Duration.ofNanos(1));
    lost.look();

    assertThat(forgotten).containsExactly("stopped");
  }

  @Test
  void whatPassedBeforeTheOrchestratorStartedCounts() {
    relays.add(relay("gone", RelayStatus.LOST, START.minus(LIMIT)));
    relays.add(relay("away", RelayStatus.LOST, START.minus(LIMIT).plusSeconds(60)));

    lost.look();

    assertThat(forgotten).containsExactly("gone");
  }

  @Test
  void aStepOfTheClockForgetsNobody() {
    relays.add(relay("gone", RelayStatus.LOST, START));
    lost.look();

    stepped = Duration.ofDays(400);
    lost.look();

    assertThat(forgotten).isEmpty();
  }

  @Test
  void aRelayThatOpenChainsUseIsKeptUntilNoneDoes() {
    relays.add(relay("gone", RelayStatus.LOST, START));
    used.add("gone");
    lost.look();
    pass(LIMIT.multipliedBy(2));
    lost.look();
    assertThat(forgotten).isEmpty();

    used.clear();
    lost.look();

    assertThat(forgotten).containsExactly("gone");
  }

  @Test
  void aRelayThatCameBackIsCountedAnew() {
    relays.add(relay("gone", RelayStatus.LOST, START));
    lost.look();
    pass(LIMIT.minusSeconds(1));
    relays.set(0, relay("gone", RelayStatus.UP, time.now()));
    lost.look();
    relays.set(0, relay("gone", RelayStatus.LOST, time.now()));
    lost.look();
    pass(Duration.ofSeconds(2));
    lost.look();

    assertThat(forgotten).isEmpty();
  }

  private void pass(Duration duration) {
    nanos += duration.toNanos();
  }

  private static RegisteredRelay relay(String name, RelayStatus status, Instant lastSeenAt) {
    return KnownRelay.named(name).is(status).seen(lastSeenAt).relay();
  }
}
