package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.RouteHops;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LearnedCorrection;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.relays.KnownRelay;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which evidence a plan's links rest on. */
class NetworkAssemblyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final String CLIENT = "192.0.2.7";
  private static final HostPort TARGET = new HostPort("192.0.2.9", 443);
  private static final RegisteredRelay R1 = KnownRelay.named("r1").carries(100_000_000).relay();
  private static final RegisteredRelay R2 = KnownRelay.named("r2").relay();

  private final Recorded recorded = new Recorded();
  private final Map<String, DestinationProbes.Outcome> probed = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();
  private @Nullable RegisteredRelay site;
  private @Nullable String ingress;
  private @Nullable String atDestination;
  private Source source = Source.builder().build();
  private @Nullable Long assumedCapacity;

  @Test
  void onlyLinksBetweenUsableRelaysAreInThePlan() {
    recorded.links.add(link("r1", "r2", 30));
    recorded.links.add(link("r1", "r9", 30));

    MeasuredNetwork network = network();

    assertThat(rttMillis(network, "r1", "r2")).isEqualTo(30);
    assertThat(network.link("r1", "r9")).isEmpty();
  }

  @Test
  void relaysThatReachTheDestinationHaveALinkThere() {
    probed.put("r1", reached(80));
    probed.put("r2", failed("refused"));
    probed.put("r9", reached(5));

    MeasuredNetwork network = network();

    assertThat(rttMillis(network, "r1", DESTINATION)).isEqualTo(80);
    assertThat(network.link("r2", DESTINATION)).isEmpty();
    assertThat(network.link("r9", DESTINATION)).as("not usable").isEmpty();
  }

  @Test
  void streamsThatWentToTheDestinationTellOfTheWayThere() {
    probed.put("r2", reached(80));
    recorded.toDestination = Transfers.atLeast(3e6, NOW);

    assertThat(network().link("r2", DESTINATION).orElseThrow().capacity())
        .isInstanceOfSatisfying(
            Capacity.AtLeast.class,
            seen -> assertThat(seen.bitsPerSecond()).as("payload and headers").isGreaterThan(3e6));
  }

  @Test
  void theClientsOwnTransfersTellOfItsPaths() {
    probed.put("r2", reached(80));
    source =
        Source.builder()
            .observations(
                List.of(
                    Observation.builder()
                        .to(DESTINATION)
                        .sent(12L)
                        .lost(0L)
                        .rttMillis(160.0)
                        .build(),
                    Observation.builder()
                        .to("r2")
                        .sent(12L)
                        .lost(0L)
                        .rttMillis(20.0)
                        .deliveredBitsPerSecond(9e6)
                        .build()))
            .build();
    LinkTransfer counted =
        new LinkTransfer(
            CongestionControl.CUBIC,
            3e6,
            OptionalDouble.of(3e6),
            10,
            4_000,
            8,
            0.16,
            OptionalDouble.of(0.161),
            true);
    recorded.fromClient.put(
        CLIENT + " to " + TARGET, Transfers.NONE.and(NOW, EvidenceSource.STREAM, counted, 3e6));
    recorded.fromClient.put(CLIENT + " to r2", Transfers.atLeast(1e6, NOW));

    MeasuredNetwork network = network();

    LinkEstimate direct = network.link(SOURCE, DESTINATION).orElseThrow();
    assertThat(direct.loss().sent()).as("segments in place of attempts").isEqualTo(4_000);
    assertThat(direct.loss().lost()).isEqualTo(8);
    assertThat(direct.achieved(CongestionControl.CUBIC)).isPresent();
    assertThat(direct.learned(CongestionControl.CUBIC).factor())
        .as("3 Mbit/s are more than the model expects of eight losses")
        .isGreaterThan(1.05);
    assertThat(network.link(SOURCE, "r2").orElseThrow().capacity())
        .as("what the source says itself is more")
        .isInstanceOfSatisfying(
            Capacity.AtLeast.class, seen -> assertThat(seen.bitsPerSecond()).isGreaterThan(9e6));
  }

  @Test
  void withoutASourceEveryRelayStandsBesideIt() {
    MeasuredNetwork network = network();

    assertThat(network.isAssumed(SOURCE, "r1")).isTrue();
    assertThat(network.isAssumed(SOURCE, "r2")).isTrue();
    assertThat(network.link(SOURCE, DESTINATION)).isEmpty();
    assertThat(notes).singleElement().asString().startsWith("No source was given");
  }

  @Test
  void theRelayAtTheSourcesSiteMeasuresInTheSourcesStead() {
    site = R1;
    probed.put("r1", reached(160));
    recorded.links.add(link("r1", "r2", 30));

    MeasuredNetwork network = network();

    assertThat(rttMillis(network, SOURCE, DESTINATION)).isEqualTo(160);
    assertThat(rttMillis(network, SOURCE, "r2")).isEqualTo(30);
    assertThat(network.isAssumed(SOURCE, "r1")).isTrue();
    assertThat(notes).containsExactly("The source is assumed to be at the site of r1.");
  }

  @Test
  void cascadesThatHaveToBeginAtOneRelayReachNoOtherFirst() {
    site = R1;
    ingress = "r1";
    recorded.links.add(link("r1", "r2", 30));

    MeasuredNetwork network = network();

    assertThat(network.link(SOURCE, "r2")).isEmpty();
    assertThat(network.link(SOURCE, "r1")).isPresent();
    assertThat(network.link("r1", "r2")).isPresent();
  }

  @Test
  void linksToARelayOnTheDestinationsHostReplaceProbes() {
    site = R1;
    atDestination = "r2";
    probed.put("r1", reached(80));
    recorded.links.add(link("r1", "r2", 60));

    MeasuredNetwork network = network();

    assertThat(rttMillis(network, "r1", DESTINATION)).isEqualTo(60);
    assertThat(rttMillis(network, SOURCE, DESTINATION)).isEqualTo(60);
    assertThat(notes).anyMatch(note -> note.contains("r2's host"));
  }

  @Test
  void noLinkStandsForAWayThatNobodyCouldGo() {
    atDestination = "r2";
    recorded.links.add(link("r1", "r2", 60));

    assertThat(network().link("r1", DESTINATION)).isEmpty();
    assertThat(notes).noneMatch(note -> note.contains("host"));
  }

  @Test
  void whatTheSourceMeasuredItselfReplacesWhatStandsForIt() {
    site = R1;
    probed.put("r1", reached(160));
    recorded.links.add(link("r1", "r2", 30));
    source =
        Source.builder()
            .relay("r1")
            .observations(
                List.of(
                    Observation.builder()
                        .to(DESTINATION)
                        .sent(50L)
                        .lost(1L)
                        .rttMillis(150.0)
                        .build()))
            .build();

    MeasuredNetwork network = network();

    assertThat(rttMillis(network, SOURCE, DESTINATION)).isEqualTo(150);
    assertThat(rttMillis(network, SOURCE, "r2")).isEqualTo(30);
  }

  @Test
  void promisesReduceWhatIsFree() {
    recorded.links.add(declared("r1", "r2", 100_000_000L));
    recorded.promised.add(RouteHops.cascade(List.of("r1", "r2"), HopTransport.TCP), 40_000_000);

    MeasuredNetwork network = network();

    assertThat(network.topology().relayTerms("r1").freeBitsPerSecond().orElseThrow())
        .isEqualTo(60_000_000);
    assertThat(network.topology().linkTerms("r1", "r2").freeBitsPerSecond().orElseThrow())
        .isEqualTo(60_000_000);
    assertThat(network.topology().relayTerms("r2").freeBitsPerSecond()).as("undeclared").isEmpty();
  }

  @Test
  void lessonsFollowALinkUnderItsNameInThePlan() {
    site = R1;
    recorded.links.add(link("r1", "r2", 30));
    recorded.learned = new LearnedCorrection(0.5, 3, 3);

    LinkEstimate first = network().link(SOURCE, "r2").orElseThrow();

    assertThat(first.learned(CongestionControl.CUBIC).factor()).isEqualTo(0.5);
  }

  @Test
  void anAssumedCapacityIsThatOfLinksWithoutOne() {
    assumedCapacity = 8_000_000L;
    recorded.links.add(link("r1", "r2", 30));

    assertThat(network().link("r1", "r2").orElseThrow().capacity())
        .isEqualTo(new Capacity.Known(8e6));
  }

  private MeasuredNetwork network() {
    return NetworkAssembly.assemble(
        recorded,
        new PlanInputs(
            TARGET,
            UsableRelays.up(List.of(R1, R2), Set.of()),
            site,
            ingress,
            atDestination,
            new DestinationReach(probed),
            SourceObservations.of(source),
            CLIENT),
        assumedCapacity,
        NOW,
        notes);
  }

  private static double rttMillis(MeasuredNetwork network, String from, String to) {
    return network.link(from, to).orElseThrow().rtt().toNanos() / 1e6;
  }

  private static MeasuredLink link(String from, String to, double rttMillis) {
    return link(from, to, rttMillis, null);
  }

  private static MeasuredLink declared(String from, String to, long bitsPerSecond) {
    return link(from, to, 30, bitsPerSecond);
  }

  private static MeasuredLink link(
      String from, String to, double rttMillis, @Nullable Long bitsPerSecond) {
    return new MeasuredLink(
        from,
        to,
        new LinkWindow.Counts(10_000, 10, rttMillis, rttMillis, null, NOW),
        Transfers.NONE,
        bitsPerSecond,
        false,
        NOW);
  }

  private static DestinationProbes.Outcome reached(double rttMillis) {
    return new DestinationProbes.Outcome(
        new LinkWindow.Counts(15, 0, rttMillis, rttMillis, null, NOW),
        null,
        DestinationProbes.Obstacle.NONE);
  }

  private static DestinationProbes.Outcome failed(String why) {
    return new DestinationProbes.Outcome(
        new LinkWindow.Counts(0, 0, null, null, null, NOW), why, DestinationProbes.Obstacle.NONE);
  }

  /** Evidence in fields. */
  private static final class Recorded implements NetworkEvidence {
    final List<MeasuredLink> links = new ArrayList<>();
    final Map<String, Transfers> fromClient = new HashMap<>();
    Transfers toDestination = Transfers.NONE;
    LearnedCorrection learned = new LearnedCorrection(1, 0, 0);
    final PromisedCapacity promised = new PromisedCapacity();

    @Override
    public List<MeasuredLink> links() {
      return links;
    }

    @Override
    public Transfers transfers(String relay, HostPort destination) {
      return toDestination;
    }

    @Override
    public Transfers fromClient(String client, String to) {
      return fromClient.getOrDefault(client + " to " + to, Transfers.NONE);
    }

    @Override
    public LearnedCorrection learned(MeasuredLink link, CongestionControl control) {
      return learned;
    }

    @Override
    public PromisedCapacity promised() {
      return promised;
    }
  }
}
