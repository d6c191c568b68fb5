package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.KnownRelay;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullUnmarked
class SourceObservationsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final UsableRelays R1 =
      UsableRelays.up(List.of(KnownRelay.named("r1").carries(7_000_000).relay()), Set.of());

  @Test
  void nothingIsKnownWithoutASource() {
    assertThat(SourceObservations.of(null).isEmpty()).isTrue();
    assertThat(SourceObservations.of(Source.builder().relay("r1").build()).isEmpty()).isTrue();
    assertThat(observed().neverReachedDestination()).isFalse();
  }

  @Test
  void linksLeadToUsableRelaysAndToTheDestination() {
    List<MeasuredLink> links =
        observed(
                Observation.builder()
                    .to(DESTINATION)
                    .sent(50L)
                    .lost(1L)
                    .rttMillis(160.0)
                    .deliveredBitsPerSecond(6e6)
                    .build(),
                Observation.builder().to("r1").sent(50L).lost(0L).rttMillis(20.0).build(),
                Observation.builder().to("r2").sent(50L).lost(0L).rttMillis(20.0).build())
            .links(R1, _ -> Transfers.NONE, NOW);

    assertThat(links).extracting(MeasuredLink::from).containsOnly(SOURCE);
    assertThat(links).extracting(MeasuredLink::to).containsExactly(DESTINATION, "r1");
    assertThat(links.getFirst().capacity().isUnseen()).isFalse();
    assertThat(links.getLast().capacity().known()).hasValue(7e6);
    assertThat(links.getFirst().saidBitsPerSecond()).isNull();
    assertThat(links.getLast().saidBitsPerSecond()).isEqualTo(7_000_000);
    assertThat(links.getLast().counts().sent()).as("a packet in each direction").isEqualTo(100);
  }

  @Test
  void anObservationWithoutARoundTripOrAPacketIsNoLink() {
    assertThat(
            observed(
                    Observation.builder().to(DESTINATION).sent(50L).lost(50L).build(),
                    Observation.builder().to("r1").sent(0L).lost(0L).rttMillis(20.0).build())
                .links(R1, _ -> Transfers.NONE, NOW))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "destination,5,5,true",
    "destination,4,4,false",
    "destination,50,49,false",
    "r1,5,5,false"
  })
  void aDestinationIsUnreachableAfterFiveUnansweredConnections(
      String to, long sent, long lost, boolean never) {
    assertThat(
            observed(Observation.builder().to(to).sent(sent).lost(lost).build())
                .neverReachedDestination())
        .isEqualTo(never);
  }

  @Test
  void strangersAreNeitherRelaysNorTheDestination() {
    SourceObservations observations =
        observed(
            Observation.builder().to(DESTINATION).sent(5L).lost(0L).rttMillis(1.0).build(),
            Observation.builder().to("r1").sent(5L).lost(0L).rttMillis(1.0).build(),
            Observation.builder().to("r7").sent(5L).lost(0L).rttMillis(1.0).build());

    assertThat(observations.strangers("r1"::equals)).containsExactly("r7");
  }

  @ParameterizedTest
  @CsvSource({"5,6,1.0", "5,-1,1.0", "5,0,0", "5,0,-1", "5,0,NaN", "5,0,3600000"})
  void impossibleObservationsAreRefused(long sent, long lost, double rttMillis) {
    refused(
        Observation.builder().to("r1").sent(sent).lost(lost).rttMillis(rttMillis).build(),
        "expected");
  }

  @Test
  void incompleteObservationsAreRefused() {
    refused(new Observation(null, 1L, 0L, 1.0, null), "each needs to, sent and lost");
    refused(new Observation("r1", null, 0L, 1.0, null), "each needs to, sent and lost");
    refused(new Observation("r1", 1L, null, 1.0, null), "each needs to, sent and lost");
  }

  private static void refused(Observation observation, String why) {
    assertThatThrownBy(() -> observed(observation))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.INVALID_REQUEST))
        .hasMessageContaining(why);
  }

  private static SourceObservations observed(Observation... observations) {
    return SourceObservations.of(Source.builder().observations(List.of(observations)).build());
  }
}
