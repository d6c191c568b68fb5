package io.cascade.orchestrator.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SeenDestinationsTest {
  private static final HostPort DB = new HostPort("db", 5432);
  private static final HostPort WEB = new HostPort("web", 443);

  private final ManualTime time = ManualTime.from(Instant.parse("2026-01-01T12:00:00Z"));
  private final List<String> rates = new ArrayList<>();
  private final SeenDestinations seen =
      new SeenDestinations(
          (relay, destination, rate) -> rates.add(relay + " " + destination + " " + rate),
          time.timekeeper());

  @Test
  void bothWaysAddUpAndEachHasItsHighestRate() {
    seen.direct("edge", DB, use(2, 10, 5e6));
    seen.direct("edge", DB, use(1, 10, 4e6));
    seen.chained(RouteHops.cascade(List.of("hub", "sea"), HopTransport.TCP), DB, 1, 100, 2e7);

    SeenDestination one = seen.find(DB).orElseThrow();
    assertThat(one.streams()).isEqualTo(4);
    assertThat(one.bytes()).isEqualTo(120);
    assertThat(one.directBitsPerSecond()).isEqualTo(5e6);
    assertThat(one.relayedBitsPerSecond()).isEqualTo(2e7);
    assertThat(one.via()).containsExactly("hub", "sea");
    assertThat(one.origin())
        .as("where most enter")
        .isEqualTo(new SeenDestination.Origin("edge", false));
  }

  @Test
  void aClientsDirectTransferIsSeenToo() {
    seen.transferred("192.0.2.7", DB, 3_000_000, 4e6);

    SeenDestination one = seen.find(DB).orElseThrow();
    assertThat(one.origin()).isEqualTo(new SeenDestination.Origin("192.0.2.7", true));
    assertThat(one.streams()).isEqualTo(1);
    assertThat(one.directBitsPerSecond()).isEqualTo(4e6);
    assertThat(rates).as("the report itself teaches plans").isEmpty();
  }

  @Test
  void laterPlansKnowTheRateOfADirectStream() {
    seen.direct("edge", DB, use(1, 10, 5e6));
    seen.direct("edge", DB, use(1, 10, null));

    assertThat(rates).containsExactly("edge db:5432 5000000.0");
  }

  @Test
  void theLatestIsFirstAndADayLaterItIsForgotten() {
    seen.direct("edge", DB, use(1, 10, null));
    time.pass(Duration.ofHours(1));
    seen.direct("edge", WEB, use(1, 10, null));
    assertThat(seen.latest(10)).extracting(SeenDestination::destination).containsExactly(WEB, DB);
    assertThat(seen.latest(1)).hasSize(1);

    time.pass(Duration.ofHours(23).plusSeconds(1));
    assertThat(seen.find(DB)).isEmpty();
    assertThat(seen.latest(10)).extracting(SeenDestination::destination).containsExactly(WEB);

    seen.direct("edge", DB, use(1, 1, null));
    assertThat(seen.find(DB).orElseThrow().streams()).isEqualTo(1);
  }

  @Test
  void onlySoManyAreHeld() {
    for (int i = 0; i <= SeenDestinations.MOST; i++) {
      seen.direct("edge", new HostPort("h" + i, 1), use(1, 1, null));
    }

    assertThat(seen.latest(2 * SeenDestinations.MOST)).hasSize(SeenDestinations.MOST);
    assertThat(seen.find(new HostPort("h0", 1))).isEmpty();
  }

  private static DestinationUse use(long streams, long bytes, @Nullable Double bitsPerSecond) {
    return DestinationUse.builder()
        .destination("in the key")
        .streams(streams)
        .bytes(bytes)
        .bitsPerSecond(bitsPerSecond)
        .build();
  }
}
