package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.PathEnds;
import io.cascade.orchestrator.links.PathTransferStore;
import io.cascade.orchestrator.links.PathTransfers;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** Plans know what transfers from the same address have shown of its paths. */
class ClientTransfersTest {
  private static final String CLIENT = "192.0.2.7";
  private static final String TO = "files.example:9000";
  private static final long MIB = 1 << 20;

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final FakeStore store = new FakeStore();
  private ClientTransfers transfers = new ClientTransfers(store, time.timekeeper());

  /** Rows in memory. */
  private static final class FakeStore extends PathTransferStore {
    private final Map<PathEnds, Transfers> rows = new LinkedHashMap<>();

    FakeStore() {
      super(JdbcClient.create(new SimpleDriverDataSource()), Table.CLIENT_PATH);
    }

    @Override
    protected void save(PathEnds path, Transfers shown, Instant updatedAt) {
      rows.put(path, shown);
    }

    @Override
    protected void remove(PathEnds path) {
      rows.remove(path);
    }

    @Override
    protected void removeBefore(Instant moment) {
      // What is read is judged again.
    }

    @Override
    protected Map<PathEnds, Transfers> all() {
      return Map.copyOf(rows);
    }
  }

  @Test
  void whatWasShownOutlivesARestartAndKeepsItsAge() {
    report(null, 12 * MIB, 3e6, account(3.1e6, 161, TransferLimit.NETWORK));
    transfers.save();
    time.pass(Duration.ofMinutes(15));
    restart();

    assertThat(seen(CLIENT, TO)).isCloseTo(3.1e6, within(1.0));
    assertThat(estimate(TO).loss().sent()).as("half of it").isEqualTo(3_000);
  }

  @Test
  void whatIsOlderThanADayIsNeitherReadNorStored() {
    report(null, MIB, 6e6);
    transfers.save();
    assertThat(store.rows).hasSize(1);
    time.pass(Duration.ofHours(25));
    transfers.save();
    assertThat(store.rows).isEmpty();

    report(null, MIB, 6e6);
    transfers.save();
    time.pass(Duration.ofHours(25));
    restart();
    assertThat(seen(CLIENT, TO)).isZero();
  }

  @Test
  void noMoreIsStoredThanIsHeld() {
    for (int i = 0; i <= PathTransfers.MOST; i++) {
      transfers.reported(
          CLIENT,
          TransferReport.builder()
              .destination("h" + i + ":1")
              .bytes(MIB)
              .bitsPerSecond(6e6)
              .build());
      if (i == 0) {
        transfers.save();
      }
    }
    transfers.save();
    assertThat(store.rows).hasSize(PathTransfers.MOST);
  }

  private void restart() {
    transfers = new ClientTransfers(store, time.timekeeper());
  }

  @Test
  void aDirectRateCountsToTheDestinationAndARelayedOneToTheFirstRelay() {
    report(null, MIB, 6e6);
    report(List.of("den", "sea"), MIB, 2e7);

    assertThat(seen(CLIENT, TO)).isCloseTo(6e6, within(1.0));
    assertThat(seen(CLIENT, "den")).isCloseTo(2e7, within(1.0));
    assertThat(seen(CLIENT, "sea")).isZero();
  }

  @Test
  void itCountsForNobodyElseAndForNoOtherDestination() {
    report(null, MIB, 6e6);

    assertThat(seen("192.0.2.8", TO)).isZero();
    assertThat(seen(CLIENT, "files.example:9001")).isZero();
  }

  @Test
  void theHighestOfADayCounts() {
    report(null, MIB, 6e6);
    time.pass(Duration.ofHours(1));
    report(null, MIB, 4e6);
    assertThat(seen(CLIENT, TO)).isCloseTo(6e6, within(1.0));

    time.pass(Duration.ofHours(24));
    assertThat(seen(CLIENT, TO)).isZero();
    report(null, MIB, 3e6);
    assertThat(seen(CLIENT, TO)).isCloseTo(3e6, within(1.0));
  }

  @Test
  void littleDoesNotCount() {
    report(null, MIB - 1, 6e6);
    assertThat(seen(CLIENT, TO)).isZero();
  }

  @Test
  void whatTheKernelCountedIsEvidenceOfLossAndOfWhatItAllows() {
    report(null, 12 * MIB, 3e6, account(3.1e6, 161, TransferLimit.NETWORK));

    LinkEstimate path = estimate(TO);
    assertThat(path.loss().sent()).isEqualTo(6_000);
    assertThat(path.loss().lost()).isEqualTo(12);
    assertThat(path.achieved(CongestionControl.CUBIC).orElseThrow().bitsPerSecond()).isEqualTo(3e6);
    assertThat(path.capacity()).isInstanceOf(Capacity.AtLeast.class);

    time.pass(Duration.ofMinutes(15));
    assertThat(estimate(TO).loss().sent()).as("half of it").isEqualTo(3_000);
  }

  @Test
  void aBurstOfLossesCountsOnce() {
    TransferAccount burst =
        TransferAccount.builder()
            .seconds(30.0)
            .steadyBitsPerSecond(3.1e6)
            .sentSegments(9_000L)
            .retransmittedSegments(40L)
            .steadySentSegments(6_000L)
            .steadyRetransmittedSegments(12L)
            .minRttMillis(160.0)
            .loadedRttMillis(161.0)
            .congestionControl("cubic")
            .limitedBy(TransferLimit.NETWORK)
            .steadyLossEvents(4L)
            .build();
    report(null, 12 * MIB, 3e6, burst);

    assertThat(estimate(TO).loss().lost()).isEqualTo(4);
  }

  @Test
  void aRelayThatTookNoMoreShowsALeastRateAlone() {
    report(List.of("den"), 12 * MIB, 3e6, account(3.1e6, 161, TransferLimit.RECEIVER));

    LinkEstimate path = estimate("den");
    assertThat(path.loss().lost()).isZero();
    assertThat(path.achieved(CongestionControl.CUBIC)).isEmpty();
    assertThat(path.capacity()).isInstanceOf(Capacity.AtLeast.class);
  }

  @Test
  void aQueueShowsTheCapacityUnlessAnotherConnectionStoodInIt() {
    report(null, 12 * MIB, 8e6, account(9e6, 240, TransferLimit.NETWORK));
    assertThat(estimate(TO).capacity()).isInstanceOf(Capacity.Known.class);

    report(List.of("den"), 12 * MIB, 8e6, account(9e6, 240, TransferLimit.SHARED_QUEUE));
    assertThat(estimate("den").capacity()).isInstanceOf(Capacity.AtLeast.class);
    assertThat(estimate("den").loss().lost()).as("lost in the queue").isLessThan(12);
  }

  @Test
  void ofACongestionControlWithoutAModelOnlyTheRateCounts() {
    TransferAccount account =
        TransferAccount.builder()
            .seconds(30.0)
            .steadyBitsPerSecond(3e6)
            .sentSegments(6_000L)
            .retransmittedSegments(12L)
            .minRttMillis(160.0)
            .congestionControl("westwood")
            .limitedBy(TransferLimit.NETWORK)
            .build();
    report(null, 12 * MIB, 3e6, account);

    assertThat(seen(CLIENT, TO)).isCloseTo(3e6, within(1.0));
    assertThat(transfers.of(CLIENT, TO).updatedAt()).isEmpty();
  }

  @Test
  void onlySoManyPathsAreHeld() {
    for (int i = 0; i <= PathTransfers.MOST; i++) {
      transfers.reported(
          CLIENT,
          TransferReport.builder()
              .destination("h" + i + ":1")
              .bytes(MIB)
              .bitsPerSecond(6e6)
              .build());
    }

    assertThat(seen(CLIENT, "h0:1")).isZero();
    assertThat(seen(CLIENT, "h1:1")).isPositive();
  }

  @Test
  void whoeverReportsManyMakesNobodyElsesForgotten() {
    report(null, MIB, 6e6);
    for (int i = 0; i <= PathTransfers.MOST; i++) {
      transfers.reported(
          "2001:db8::" + Integer.toHexString(i), // all of one network
          TransferReport.builder()
              .destination("h" + i + ":1")
              .bytes(MIB)
              .bitsPerSecond(6e6)
              .build());
    }

    assertThat(seen(CLIENT, TO)).isPositive();
    assertThat(seen("2001:db8::0", "h0:1")).isZero();
    assertThat(seen("2001:db8::3e8", "h1000:1")).isPositive();
  }

  @Test
  void aDestinationThatIsNoneIsRefused() {
    assertThatThrownBy(() ->
            transfers.reported(
                CLIENT,
                TransferReport.builder()
                    .destination("no port")
                    .bytes(MIB)
                    .bitsPerSecond(6e6)
                    .build()))
        .isInstanceOf(Refusal.class);
  }

  private void report(@Nullable List<String> relays, long bytes, double bitsPerSecond) {
    report(relays, bytes, bitsPerSecond, null);
  }

  private void report(
      @Nullable List<String> relays,
      long bytes,
      double bitsPerSecond,
      @Nullable TransferAccount account) {
    transfers.reported(
        CLIENT,
        TransferReport.builder()
            .destination(TO)
            .bytes(bytes)
            .bitsPerSecond(bitsPerSecond)
            .relays(relays)
            .account(account)
            .build());
  }

  private static TransferAccount account(
      double steady, double loadedRttMillis, TransferLimit limit) {
    return TransferAccount.builder()
        .seconds(30.0)
        .steadyBitsPerSecond(steady)
        .sentSegments(9_000L)
        .retransmittedSegments(40L)
        .steadySentSegments(6_000L)
        .steadyRetransmittedSegments(12L)
        .minRttMillis(160.0)
        .loadedRttMillis(loadedRttMillis)
        .congestionControl("cubic")
        .limitedBy(limit)
        .build();
  }

  /** The rate of payload that was seen at the most. */
  private double seen(String client, String to) {
    Capacity capacity = transfers.of(client, to).capacity(null, time.timekeeper().steady());
    double wire = capacity instanceof Capacity.AtLeast(double rate) ? rate : Double.NaN;
    return wire * Framing.ETHERNET_1500.payloadShare();
  }

  private LinkEstimate estimate(String to) {
    Instant now = time.timekeeper().steady();
    LinkWindow.Counts few = new LinkWindow.Counts(12, 0, 160.0, 160.0, null, now);
    Transfers known = transfers.of(CLIENT, to);
    return MeasuredLink.ofAttempts("source", to, few, known, null, now).estimate().orElseThrow();
  }
}
