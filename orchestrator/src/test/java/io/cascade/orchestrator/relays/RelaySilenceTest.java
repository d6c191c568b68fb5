package io.cascade.orchestrator.relays;

import static io.cascade.api.orchestrator.RelayStatus.LOST;
import static io.cascade.api.orchestrator.RelayStatus.SILENT;
import static io.cascade.api.orchestrator.RelayStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A relay's silence is measured by steady time. */
class RelaySilenceTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final UUID INSTANCE = UUID.randomUUID();

  private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
  private final RelaySigner other = new RelaySigner(RelayKey.generate(), 1, 0);
  private final ManualTime time = ManualTime.from(START);
  private final KeptRelays store = new KeptRelays();
  private final List<Object> facts = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {-3_600, 4, 3_600})
  void aStepOfTheTimeOfDayLosesNobodyAndHidesNobody(long seconds) {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    time.step(Duration.ofSeconds(seconds));
    registry.noticeSilence();
    assertThat(registry.known("r1").isGone()).isFalse();

    time.pass(Duration.ofSeconds(1));
    registry.heartbeat("r1", heartbeat());
    time.step(Duration.ofSeconds(-seconds));
    time.pass(Duration.ofSeconds(10));
    registry.noticeSilence();
    assertThat(registry.known("r1").isGone()).isFalse();

    time.pass(Duration.ofMillis(1));
    registry.noticeSilence();
    assertThat(registry.known("r1").isGone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600, 0, 3_600})
  void afterARestartSilenceCountsFromTheStart(long seconds) {
    registry(time).register(registration());
    ManualTime later = ManualTime.from(START.plusSeconds(seconds));
    RelayRegistry registry = registry(later);
    // Relays wait up to five seconds before they come back.
    later.pass(Duration.ofSeconds(15));
    registry.noticeSilence();
    assertThat(registry.known("r1").isGone()).isFalse();

    later.pass(Duration.ofMillis(1));
    registry.noticeSilence();
    assertThat(registry.known("r1").isGone()).isTrue();
    assertThat(facts).last().isInstanceOf(RelayFact.Lost.class);
  }

  @Test
  void aRelayThatAnotherOneHearsIsSilentAndLostOnceNobodyHearsIt() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    registry.register(registration("r2", other));
    time.pass(Duration.ofSeconds(9));
    registry.heartbeat("r2", heartbeatOfR2(10));
    time.pass(Duration.ofSeconds(2));
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(SILENT);
    assertThat(facts).noneMatch(RelayFact.Lost.class::isInstance);
    assertThat(registry.heartbeat("r2", heartbeatOfR2(10)).peers()).as("still measured").hasSize(1);

    registry.heartbeat("r2", heartbeatOfR2(0));
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(LOST);
    assertThat(facts).last().isInstanceOf(RelayFact.Lost.class);
  }

  @Test
  void aSilentRelayIsBackWithItsNextHeartbeat() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    registry.register(registration("r2", other));
    time.pass(Duration.ofSeconds(11));
    registry.heartbeat("r2", heartbeatOfR2(10));
    registry.noticeSilence();
    registry.heartbeat("r1", heartbeat());
    assertThat(registry.known("r1").status()).isEqualTo(UP);
    assertThat(facts).last().isInstanceOf(RelayFact.Recovered.class);
  }

  @Test
  void aRelayWhoseControlPortRefusesIsLostSooner() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    time.pass(Duration.ofMillis(3_500));
    assertThat(registry.overdue()).isEmpty();
    time.pass(Duration.ofMillis(1));
    assertThat(registry.overdue()).hasSize(1);
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(UP);

    registry.overdue().forEach(registry::refused);
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(LOST);
  }

  @Test
  void aRefusalThatIsOlderThanTheLastHeartbeatSaysNothing() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    time.pass(Duration.ofSeconds(4));
    RegisteredRelay before = registry.known("r1");
    registry.heartbeat("r1", heartbeat());
    registry.refused(before);
    time.pass(Duration.ofSeconds(4));
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(UP);
  }

  @Test
  void aRelayThatOthersHearIsNotLostByARefusal() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    registry.register(registration("r2", other));
    time.pass(Duration.ofSeconds(4));
    registry.heartbeat("r2", heartbeatOfR2(10));
    registry.overdue().forEach(registry::refused);
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(UP);
  }

  @Test
  void whatIsUsualForARelayIsNoSilence() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    for (int i = 0; i < 64; i++) {
      time.pass(Duration.ofSeconds(i % 2 == 0 ? 1 : 9));
      registry.needed();
      registry.heartbeat("r1", heartbeat());
    }
    time.pass(Duration.ofSeconds(20));
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).isEqualTo(UP);

    time.pass(Duration.ofSeconds(11));
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).as("thirty seconds are too much").isEqualTo(LOST);
  }

  @Test
  void aRelayAtRestReportsAndMeasuresAtASlowerPaceUntilSomethingNeedsIt() {
    RelayRegistry registry = registry(time);
    RelayInstructions atFirst = registry.register(registration());
    assertThat(atFirst.heartbeatSeconds()).isEqualTo(1);
    assertThat(atFirst.probeSeconds()).isNull();

    time.pass(Duration.ofMinutes(1));
    RelayInstructions atRest = registry.heartbeat("r1", heartbeat());
    assertThat(atRest.heartbeatSeconds()).isEqualTo(5);
    assertThat(atRest.probeSeconds()).isEqualTo(3);
    time.pass(Duration.ofMillis(12_500));
    registry.noticeSilence();
    assertThat(registry.known("r1").status()).as("two may be missed").isEqualTo(UP);

    registry.needed();
    RelayInstructions again = registry.heartbeat("r1", heartbeat());
    assertThat(again.heartbeatSeconds()).isEqualTo(1);
    assertThat(again.probeSeconds()).isNull();
  }

  @Test
  void whenItWasSeenIsShownByTheTimeOfDay() {
    RelayRegistry registry = registry(time);
    registry.register(registration());
    time.step(Duration.ofHours(1));
    registry.heartbeat("r1", heartbeat());
    assertThat(registry.known("r1").lastSeenAt()).isEqualTo(START.plus(Duration.ofHours(1)));
    assertThat(registry.known("r1").heardAt()).isEqualTo(START);
  }

  private RelayRegistry registry(ManualTime by) {
    return new RelayRegistry(
        store,
        new EventLog(by.timekeeper()),
        facts::add,
        new HeartbeatIntervals(Duration.ofSeconds(1)),
        by.timekeeper());
  }

  private RelayRegistration registration() {
    return registration("r1", signer);
  }

  private static RelayRegistration registration(String name, RelaySigner signer) {
    Endpoint at = new Endpoint("192.0.2.1", 7_411);
    return signer.sign(
        RelayRegistration.builder()
            .name(name)
            .site("desk")
            .instance(INSTANCE)
            .version("1")
            .control(at)
            .hop(at)
            .publicKey("")
            .generation(1L)
            .sequence(1L)
            .signature("")
            .build());
  }

  private Heartbeat heartbeat() {
    Map<String, Object> unsigned =
        Map.of("instance", INSTANCE, "runningStreams", 0, "heldBytes", 0, "sequence", 1);
    return signer.sign("r1", Json.lenient().convertValue(unsigned, Heartbeat.class));
  }

  /** Of ten probes of r1, so many were answered. */
  private Heartbeat heartbeatOfR2(long answered) {
    Map<String, Object> link =
        Map.of("peer", "r1", "sent", 10, "received", answered, "lost", 10 - answered);
    Map<String, Object> unsigned =
        Map.of(
            "instance",
            INSTANCE,
            "runningStreams",
            0,
            "heldBytes",
            0,
            "sequence",
            1,
            "links",
            List.of(link));
    return other.sign("r2", Json.lenient().convertValue(unsigned, Heartbeat.class));
  }

  /** Rows of an earlier process, without a database. */
  private static final class KeptRelays extends RelayStore {
    private final List<RegisteredRelay> rows = new ArrayList<>();

    @SuppressWarnings("NullAway") // nothing is written through it
    KeptRelays() {
      super(JdbcClient.create(new DriverManagerDataSource()), null);
    }

    @Override
    void save(RegisteredRelay relay) {
      rows.clear();
      rows.add(relay);
    }

    @Override
    List<String> drained() {
      return List.of();
    }

    @Override
    List<RegisteredRelay> all(Instant from) {
      return rows.stream()
          .map(row ->
              new RegisteredRelay(
                  row.registration(),
                  io.cascade.api.orchestrator.RelayStatus.UP,
                  row.registeredAt(),
                  row.lastSeenAt(),
                  from,
                  row.restarts(),
                  0,
                  0,
                  null))
          .toList();
    }
  }
}
