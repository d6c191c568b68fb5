package io.cascade.relay.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.transport.TcpTotals;
import io.cascade.relay.probe.PacketTotals;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import io.cascade.testing.Golden;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RelayMetricsTest {
  private final FakeReadings readings = new FakeReadings();
  private final RelayMetrics metrics =
      new RelayMetrics("r1", "berlin", "6f1d2c3b", readings, new FakePackets());

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void showsWhatTheRelayHoldsAndCarries() {
    assertThat(lines())
        .contains(
            "cascade_relay_info{instance=\"6f1d2c3b\",relay=\"r1\",site=\"berlin\"} 1",
            "cascade_relay_streams_running 7.0",
            "cascade_relay_streams_opened_total 20.0",
            "cascade_relay_held_bytes 4096.0",
            "cascade_relay_memory_budget_bytes 1.6777216E7",
            "cascade_relay_network_buffers_bytes 65536.0",
            "cascade_relay_connections_warm 4.0",
            "cascade_relay_chains_installed 0.0",
            "cascade_relay_chains_unattended 2.0",
            "cascade_relay_forwarded_bytes_total{direction=\"forward\"} 1000.0",
            "cascade_relay_forwarded_bytes_total{direction=\"backward\"} 2000.0",
            "cascade_relay_streams_limit 100.0",
            "cascade_relay_stalled_seconds_total{cause=\"data\",direction=\"forward\"} 3.0",
            "cascade_relay_stalled_seconds_total{cause=\"sink\",direction=\"forward\"} 2.0",
            "cascade_relay_stalled_seconds_total{cause=\"budget\",direction=\"backward\"} 1.0",
            "cascade_relay_probe_packets_malformed_total 1.0",
            "cascade_relay_probe_packets_stray_total 2.0",
            "cascade_relay_probe_packets_unsent_total 3.0");
  }

  @Test
  @Tag(Golden.TAG)
  void namesTypesAndUnitsStayAsTheyAre() {
    Golden.checkMetrics("relay", metrics.scrape().lines());
  }

  @Test
  void readsAnewAtEveryScrape() {
    metrics.scrape();
    readings.forwardBytes = 5_000;
    assertThat(lines())
        .contains("cascade_relay_forwarded_bytes_total{direction=\"forward\"} 5000.0");
  }

  /** A relay's whole heap is 64 MB at most. */
  @Test
  void aScrapeCostsLittleMemoryOnAVirtualThreadToo() throws Exception {
    assertThat(metrics.scrape()).isNotEmpty(); // what the first one loads is not meant
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long before = threads.getTotalThreadAllocatedBytes();
    Thread.startVirtualThread(metrics::scrape).join();
    assertThat(threads.getTotalThreadAllocatedBytes() - before).isLessThan(4 << 20);
  }

  @Test
  void countsWhatTheKernelMoved() {
    assertThat(lines()).contains("cascade_relay_spliced_bytes_total 500.0");
  }

  @Test
  void whatJoinedEndsMovedIsCounted() {
    assertThat(lines())
        .contains(
            "cascade_relay_rendezvous_requests_total{reason=\"joined\"} 4.0",
            "cascade_relay_rendezvous_passed_bytes_total 5000.0",
            "cascade_relay_rendezvous_addresses_total 8.0");
  }

  @Test
  void addsAReasonWhenItFirstTurnsUp() {
    assertThat(metrics.scrape()).doesNotContain("streams_ended");
    readings.ended.put("completed", 11L);
    readings.ended.put("connect-refused", 2L);
    readings.refusals.put("wrong-key", 3L);
    assertThat(lines())
        .contains(
            "cascade_relay_streams_ended_total{reason=\"completed\"} 11.0",
            "cascade_relay_streams_ended_total{reason=\"connect-refused\"} 2.0",
            "cascade_relay_header_refusals_total{reason=\"wrong-key\"} 3.0",
            "cascade_relay_pipes_refused_total{reason=\"capacity\"} 2.0",
            "cascade_relay_segments_reset_total{reason=\"stranded\"} 4.0");
    readings.ended.put("completed", 12L);
    assertThat(lines()).contains("cascade_relay_streams_ended_total{reason=\"completed\"} 12.0");
  }

  @Test
  void showsNoMoreReasonsThanItsBound() {
    for (int i = 0; i < 1_000; i++) {
      readings.refusals.put("reason-" + i, 1L);
    }
    assertThat(lines())
        .filteredOn(line -> line.startsWith("cascade_relay_header_refusals_total{"))
        .hasSize(RelayMetrics.MOST_REASONS);
  }

  @Test
  void showsACodedHopAsLongAsItIsInstalled() {
    UUID chain = UUID.fromString("00000000-0000-0000-0000-0000000000c1");
    CodedHop hop =
        CodedHop.builder()
            .hop(new HopAddress(0, 0, 1))
            .carrier(CodedCarrier.UDP)
            .sessions(1)
            .streams(1)
            .lossShare(0.02)
            .baseLossShare(0.01)
            .mode("DELAY")
            .roundTripMillis(50.0)
            .sourceSymbols(1_000L)
            .repairSymbols(30L)
            .build();
    readings.coded.put(chain, List.of(hop));
    String labels = "{chain=\"" + chain + "\",hop=\"0.0.1\"";
    assertThat(lines())
        .contains(
            "cascade_coded_loss_ratio" + labels + "} 0.02",
            "cascade_coded_base_loss_ratio" + labels + "} 0.01",
            "cascade_coded_rtt_seconds" + labels + "} 0.05",
            "cascade_coded_capacity_bits" + labels + "} NaN",
            "cascade_coded_carrier" + labels + "} 1.0",
            "cascade_coded_mode" + labels + ",mode=\"delay\"} 1.0",
            "cascade_coded_mode" + labels + ",mode=\"compete\"} 0.0",
            "cascade_coded_symbols_total" + labels + ",kind=\"repair\"} 30.0");
    readings.coded.clear();
    assertThat(metrics.scrape()).doesNotContain("cascade_coded");
  }

  @Test
  void showsAChainAsLongAsItIsInstalled() {
    readings.chains.add(chain("c1", 30));
    assertThat(lines())
        .contains(
            "cascade_relay_chain_streams_running{chain=\"c1\"} 2.0",
            "cascade_relay_chain_held_bytes{chain=\"c1\"} 500.0",
            "cascade_relay_chain_connections_warm{chain=\"c1\"} 4.0",
            "cascade_relay_chain_streams_ended_total{chain=\"c1\",reason=\"completed\"} 5.0",
            "cascade_relay_chain_streams_ended_total{chain=\"c1\",reason=\"inlet-reset\"} 1.0",
            "cascade_relay_chain_forwarded_bytes_total{chain=\"c1\",direction=\"forward\"} 30.0",
            "cascade_relay_chain_forwarded_bytes_total{chain=\"c1\",direction=\"backward\"} 40.0",
            "cascade_relay_chain_stalled_seconds_total"
                + "{cause=\"sink\",chain=\"c1\",direction=\"forward\"} 2.0",
            "cascade_relay_chain_hop_connections{chain=\"c1\",hop=\"onward\"} 2.0",
            "cascade_relay_chain_hop_rtt_seconds{chain=\"c1\",hop=\"onward\"} 0.015",
            "cascade_relay_chain_hop_min_rtt_seconds{chain=\"c1\",hop=\"onward\"} 0.01",
            "cascade_relay_chain_hop_congestion_window_segments{chain=\"c1\",hop=\"onward\"} 60.0",
            "cascade_relay_chain_hop_unacked_segments{chain=\"c1\",hop=\"onward\"} 7.0",
            "cascade_relay_chain_hop_unsent_bytes{chain=\"c1\",hop=\"onward\"} 900.0",
            "cascade_relay_chain_hop_sent_segments_total{chain=\"c1\",hop=\"onward\"} 1000.0",
            "cascade_relay_chain_hop_retransmitted_segments_total"
                + "{chain=\"c1\",hop=\"onward\"} 3.0");
    readings.chains.set(0, chain("c1", 31));
    assertThat(lines())
        .contains(
            "cascade_relay_chain_forwarded_bytes_total{chain=\"c1\",direction=\"forward\"} 31.0");
    readings.chains.clear();
    assertThat(metrics.scrape()).doesNotContain("c1");
  }

  @Test
  void givesSeriesOnlyToTheBusiestChains() {
    for (int i = 0; i < 300; i++) {
      readings.chains.add(chain("c" + i, i));
    }
    assertThat(chains())
        .hasSize(RelayMetrics.MOST_CHAINS + 1)
        .contains("c299", "other")
        .doesNotContain("c199");
    readings.chains.replaceAll(of -> chain(of.chain(), 600 - of.forward().bytes()));
    assertThat(chains())
        .hasSize(RelayMetrics.MOST_CHAINS + 1)
        .contains("c0", "other")
        .doesNotContain("c299");
  }

  @Test
  void countsOnAmongTheOthersWhenChainsComeAndGo() {
    for (int i = 0; i < RelayMetrics.MOST_CHAINS; i++) {
      readings.chains.add(chain("c" + i, 1_000));
    }
    readings.chains.add(chain("late", 10));
    assertThat(others()).isEqualTo(10);
    readings.chains.set(RelayMetrics.MOST_CHAINS, chain("late", 15));
    assertThat(others()).isEqualTo(15);
    readings.chains.set(RelayMetrics.MOST_CHAINS, chain("late", 2_000)); // it leaves the others
    long left = others();
    assertThat(left).isGreaterThanOrEqualTo(15);
    readings.chains.clear();
    assertThat(others()).isEqualTo(left);
  }

  @Test
  void bearsATotalThatShrank() {
    metrics.scrape();
    readings.forwardBytes = -1;
    assertThat(lines())
        .contains("cascade_relay_forwarded_bytes_total{direction=\"forward\"} 1000.0");
  }

  @Test
  void showsTheMemoryOfTheJvmAndOfTheProcess() {
    assertThat(metrics.scrape())
        .contains("jvm_memory_used_bytes{area=\"heap\"")
        .contains("jvm_allocated_bytes_total ")
        .contains("jvm_buffer_memory_used_bytes{id=\"direct\"}")
        .contains("jvm_threads_live_threads ");
    assertThat(lines())
        .filteredOn(line -> line.startsWith("process_resident_memory_bytes "))
        .singleElement()
        .satisfies(line ->
            assertThat(Double.parseDouble(line.split(" ", -1)[1])).isGreaterThan(10_000_000));
  }

  @Test
  void isReadableByPrometheus() {
    readings.ended.put("completed", 11L);
    readings.chains.add(chain("c1", 30));
    assertThat(lines())
        .allMatch(line ->
            line.startsWith("# HELP ")
                || line.startsWith("# TYPE ")
                || line.matches("[a-z_]+(\\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*})? \\S+"));
    assertThat(lines()).filteredOn(line -> line.startsWith("# TYPE ")).doesNotHaveDuplicates();
  }

  private List<String> lines() {
    return metrics.scrape().lines().toList();
  }

  private List<String> chains() {
    return lines().stream()
        .filter(line -> line.startsWith("cascade_relay_chain_streams_running{"))
        .map(line -> line.split("\"", -1)[1])
        .toList();
  }

  private long others() {
    return lines().stream()
        .filter(line ->
            line.startsWith(
                "cascade_relay_chain_forwarded_bytes_total"
                    + "{chain=\"other\",direction=\"forward\"}"))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .mapToLong(value -> (long) Double.parseDouble(value))
        .findFirst()
        .orElse(0);
  }

  private static ChainTotals chain(String id, long forwardBytes) {
    Stalls stalls = new Stalls(3_000_000_000L, 2_000_000_000L, 1_000_000_000L);
    TcpTotals tcp =
        new TcpTotals(2, 30_000_000, 10_000_000, 60, 7, 900, 1_000, 3, 0, 0, 0, 0, Set.of("cubic"));
    return new ChainTotals(
        id,
        2,
        500,
        4,
        Map.of("completed", 5L, "inlet-reset", 1L),
        new ChainTotals.Carried(forwardBytes, stalls),
        new ChainTotals.Carried(40, stalls),
        tcp,
        tcp,
        new ChainTotals.PipeSums(2, 5, 1, 2, 1_000, 100));
  }

  private static final class FakePackets implements PacketTotals {
    @Override
    public long malformed() {
      return 1;
    }

    @Override
    public long stray() {
      return 2;
    }

    @Override
    public long unsent() {
      return 3;
    }
  }

  private static final class FakeReadings implements RelayReadings {
    final Map<String, Long> ended = new HashMap<>();
    final Map<String, Long> refusals = new HashMap<>();
    final List<ChainTotals> chains = new ArrayList<>();
    final Map<UUID, List<CodedHop>> coded = new HashMap<>();
    long forwardBytes = 1_000;

    @Override
    public Map<UUID, List<CodedHop>> codedHops() {
      return coded;
    }

    @Override
    public long runningStreams() {
      return 7;
    }

    @Override
    public long mostStreams() {
      return 100;
    }

    @Override
    public long openedStreams() {
      return 20;
    }

    @Override
    public Map<String, Long> endedStreams() {
      return ended;
    }

    @Override
    public Map<String, Long> refusedPipes() {
      return Map.of("capacity", 2L);
    }

    @Override
    public Map<String, Long> resetSegments() {
      return Map.of("stranded", 4L);
    }

    @Override
    public Map<String, Long> headerRefusals() {
      return refusals;
    }

    @Override
    public Map<String, Long> tlsHandshakes() {
      return Map.of("full", 1L, "resumed", 2L, "failed", 0L);
    }

    @Override
    public Map<String, Long> rendezvousRequests() {
      return Map.of("joined", 4L, "nobody-waits", 2L);
    }

    @Override
    public long rendezvousWaiting() {
      return 3;
    }

    @Override
    public long rendezvousLeftBytes() {
      return 1L << 30;
    }

    @Override
    public long rendezvousBytes() {
      return 5_000;
    }

    @Override
    public long rendezvousAddresses() {
      return 8;
    }

    @Override
    public Map<String, Long> proxyHandshakes() {
      return Map.of("direct", 6L, "chain", 5L, "unauthenticated", 0L);
    }

    @Override
    public Map<String, Long> throughputTests() {
      return Map.of("completed", 8L, "refused-budget", 1L);
    }

    @Override
    public long testBytes() {
      return 9_000;
    }

    @Override
    public long testBudgetBytes() {
      return 1 << 20;
    }

    @Override
    public long testBudgetLeftBytes() {
      return 1_000;
    }

    @Override
    public long bytes(Direction direction) {
      return direction == Direction.FORWARD ? forwardBytes : 2_000;
    }

    @Override
    public long splicedBytes() {
      return 500;
    }

    @Override
    public Stalls stalls(Direction direction) {
      return new Stalls(3_000_000_000L, 2_000_000_000L, 1_000_000_000L);
    }

    @Override
    public long heldBytes() {
      return 4_096;
    }

    @Override
    public long memoryBudgetBytes() {
      return 16 << 20;
    }

    @Override
    public long networkBufferBytes() {
      return 65_536;
    }

    @Override
    public long warmConnections() {
      return 4;
    }

    @Override
    public long unattendedChains() {
      return 2;
    }

    @Override
    public long installedChains() {
      return chains.size();
    }

    @Override
    public List<ChainTotals> chains() {
      return chains;
    }
  }
}
