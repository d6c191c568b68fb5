package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans know what the asker's earlier transfers achieved. */
class ClientTransfersTest {
  private static final String CLIENT = "192.0.2.7";
  private static final String TO = "files.example:9000";
  private static final long MIB = 1 << 20;

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final ClientTransfers transfers = new ClientTransfers(time.timekeeper());

  @Test
  void aDirectRateCountsToTheDestinationAndARelayedOneToTheFirstRelay() {
    report(null, MIB, 6e6);
    report(List.of("den", "sea"), MIB, 2e7);

    assertThat(delivered(CLIENT, TO, "destination")).isEqualTo(6e6);
    assertThat(delivered(CLIENT, TO, "den")).isEqualTo(2e7);
    assertThat(delivered(CLIENT, TO, "sea")).isNull();
  }

  @Test
  void itCountsForNobodyElseAndForNoOtherDestination() {
    report(null, MIB, 6e6);

    assertThat(delivered("192.0.2.8", TO, "destination")).isNull();
    assertThat(delivered(CLIENT, "files.example:9001", "destination")).isNull();
  }

  @Test
  void theHighestOfADayCounts() {
    report(null, MIB, 6e6);
    time.pass(Duration.ofHours(1));
    report(null, MIB, 4e6);
    assertThat(delivered(CLIENT, TO, "destination")).isEqualTo(6e6);

    time.pass(Duration.ofHours(23));
    assertThat(delivered(CLIENT, TO, "destination")).isNull();
    report(null, MIB, 3e6);
    assertThat(delivered(CLIENT, TO, "destination")).isEqualTo(3e6);
  }

  @Test
  void littleDoesNotCountAndWhatTheAskerSaysStands() {
    report(null, MIB - 1, 6e6);
    assertThat(delivered(CLIENT, TO, "destination")).isNull();

    report(null, MIB, 6e6);
    Observation said = new Observation("destination", 5L, 0L, 20.0, 9e6);
    assertThat(completed(CLIENT, TO, said)).isEqualTo(said);
  }

  @Test
  void aSourceWithoutObservationsStaysAsItIs() {
    Source beside = new Source("den", null, "cubic");

    assertThat(transfers.completed(CLIENT, TO, beside)).isEqualTo(beside);
    assertThat(transfers.completed(CLIENT, TO, null)).isNull();
  }

  @Test
  void onlySoManyWaysAreHeld() {
    for (int i = 0; i <= ClientTransfers.MOST; i++) {
      transfers.reported(CLIENT, new TransferReport("h" + i + ":1", MIB, 6e6, null));
    }

    assertThat(delivered(CLIENT, "h0:1", "destination")).isNull();
    assertThat(delivered(CLIENT, "h1:1", "destination")).isEqualTo(6e6);
  }

  @Test
  void aDestinationThatIsNoneIsRefused() {
    assertThatThrownBy(
            () -> transfers.reported(CLIENT, new TransferReport("no port", MIB, 6e6, null)))
        .isInstanceOf(Refusal.class);
  }

  private void report(@Nullable List<String> relays, long bytes, double bitsPerSecond) {
    transfers.reported(CLIENT, new TransferReport(TO, bytes, bitsPerSecond, relays));
  }

  private @Nullable Double delivered(String client, String destination, String to) {
    return completed(client, destination, new Observation(to, 5L, 0L, 20.0, null))
        .deliveredBitsPerSecond();
  }

  private Observation completed(String client, String destination, Observation said) {
    Source source =
        Objects.requireNonNull(
            transfers.completed(client, destination, new Source(null, List.of(said), "cubic")));
    return Objects.requireNonNull(source.observations()).getFirst();
  }
}
