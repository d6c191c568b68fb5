package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What chains have carried, kept by the orchestrator for whoever looks later. */
@NullUnmarked
class RateHistoryTest {
  private static final String HISTORY = "/api/v1/statistics/history";

  private final ManualTime time = ManualTime.running();

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void isOfTheChainsLastRelayAndOfAllChainsTogether() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = rig.openVia("r1", "r2");
    relays.getFirst().totals = carried(9_000_000, 9_000_000);
    relays.getLast().totals = carried(0, 0);
    look(relays.getLast());
    time.pass(Duration.ofSeconds(20));
    relays.getLast().totals = carried(2_000_000, 500_000);
    look(relays.getLast());
    time.pass(Duration.ofSeconds(40));

    RateHistory history = rig.client().chainHistory(chain.id());

    assertThat(history.spanSeconds()).isEqualTo(10);
    assertThat(history.spans()).isSortedAccordingTo((a, b) -> a.start().compareTo(b.start()));
    assertThat(bytes(history, true)).isCloseTo(2_000_000, within(1.0));
    assertThat(bytes(history, false)).isCloseTo(500_000, within(1.0));
    assertThat(bytes(rig.client().rateHistory(), true)).isCloseTo(2_000_000, within(1.0));
  }

  @Test
  void reachesBackADayInLongerSpans() {
    FakeRelay relay = rig.live("r1");
    rig.openVia("r1");
    relay.totals = carried(0, 0);
    look(relay);
    time.pass(Duration.ofSeconds(20));
    relay.totals = carried(2_000_000, 500_000);
    look(relay);
    time.pass(Duration.ofSeconds(150));

    RateHistory day = history("?seconds=86400");

    assertThat(day.spanSeconds()).isEqualTo(120);
    assertThat(bytes(day, true)).isCloseTo(2_000_000, within(1.0));
    assertThat(history("?seconds=3600").spanSeconds()).isEqualTo(10);
    assertThat(bytes(history("?seconds=60"), true)).isZero();
    assertThat(rig.call("GET", HISTORY + "?seconds=86401", null).status()).isEqualTo(400);
    assertThat(rig.call("GET", HISTORY + "?seconds=9", null).status()).isEqualTo(400);
  }

  private RateHistory history(String query) {
    return Json.strict()
        .readValue(rig.call("GET", HISTORY + query, null).body(), RateHistory.class);
  }

  @Test
  void isEmptyOfAChainThatHasEndedAndUnknownOfOneThatNeverWas() {
    rig.live("r1");
    Chain chain = rig.openVia("r1");
    rig.client().close(chain.id(), false);

    assertThat(rig.client().chainHistory(chain.id()).spans()).isEmpty();
    Rig.Response unknown =
        rig.call("GET", "/api/v1/chains/" + UUID.randomUUID() + "/history", null);
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.problem().type()).endsWith("unknown-chain");
  }

  /** A relay that registers is looked at at once. */
  static void look(FakeRelay relay) {
    long before = looks(relay);
    relay.register();
    // The second is asked for after the first was counted.
    await().until(() -> looks(relay) > before);
    long counted = looks(relay);
    relay.register();
    await().until(() -> looks(relay) > counted);
  }

  private static long looks(FakeRelay relay) {
    return relay.calls.stream()
        .filter(call -> call.method().equals("GET") && call.path().endsWith("/chains"))
        .count();
  }

  static StreamTotals carried(long forward, long backward) {
    return StreamTotals.builder()
        .running(1L)
        .opened(1L)
        .completed(0L)
        .failed(0L)
        .forwardBytes(forward)
        .backwardBytes(backward)
        .inlets(List.of())
        .outlets(List.of())
        .build();
  }

  static double bytes(RateHistory history, boolean forward) {
    return history.spans().stream()
            .mapToDouble(
                span -> forward ? span.forwardBitsPerSecond() : span.backwardBitsPerSecond())
            .sum()
        * history.spanSeconds()
        / Byte.SIZE;
  }
}
