package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What plans know of a destination that takes a bounded number of connections an hour. */
@NullUnmarked
class DestinationHourTest {
  private final ManualTime time = ManualTime.running();
  private Rig rig;
  private List<FakeRelay> relays;

  @BeforeEach
  void start(@TempDir Path state) {
    rig =
        Rig.start(
            state,
            settings ->
                settings
                    .withClocks(time.clock(), time.nanos())
                    .withHeartbeat(Duration.ofMinutes(5))); // nobody gets lost
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void laterPlansOfTheHourGoByWhatItsConnectionsHaveShown() {
    live(5);
    for (int minutes : List.of(0, 6, 5, 10, 10, 10)) {
      time.pass(Duration.ofMinutes(minutes));

      Plan plan = plan();

      assertThat(plan.notes()).asString().doesNotContain("unmeasured");
      assertThat(plan.candidates()).as("after %d minutes more", minutes).isNotEmpty();
      assertThat(connections()).isLessThanOrEqualTo(200);
    }
  }

  @Test
  void relaysThatShareAnHourSeeAsMuchOfTheDestinationEach() {
    live(4);

    plan();

    await().until(() -> relays.stream().allMatch(relay -> relay.probes.size() == 2));
    assertThat(relays)
        .allSatisfy(relay ->
            assertThat(relay.probes).extracting(ProbeRequest::count).containsExactly(8, 34));
  }

  @Test
  void aDestinationThatRefusedSinceIsUnmeasuredOnceTheHourIsUsedUp() {
    live(5);
    plan();
    relays.forEach(relay -> relay.probe = FakeRelay::refused);
    time.pass(Duration.ofMinutes(6));
    assertThat(plan().notes()).asString().contains("not reached from r1");
    time.pass(Duration.ofMinutes(6));

    assertThat(plan().notes()).asString().contains("unmeasured").doesNotContain("not reached");
  }

  @Test
  void whatIsKnownTakesOneConnectionToSeeThatTheDestinationStillAnswers() {
    live(1);
    FakeRelay relay = relays.getFirst();
    plan();
    time.pass(Duration.ofSeconds(11));
    plan();
    assertThat(relay.probes).extracting(ProbeRequest::count).containsExactly(8, 42, 1);

    relay.probe =
        request ->
            request.count() == 1 ? FakeRelay.refused(request) : FakeRelay.reached(request, 4, 0, 9);
    time.pass(Duration.ofSeconds(11));

    assertThat(plan().notes()).asString().doesNotContain("not reached");
    assertThat(relay.probes).extracting(ProbeRequest::count).endsWith(1, 8);
  }

  @Test
  void whatTheSourceConnectedToMeasureCountsWithinTheHourAndLeavesEachRelayItsFirstLook() {
    live(1);
    FakeRelay relay = relays.getFirst();
    Observation direct =
        Observation.builder().to("destination").sent(50L).lost(0L).rttMillis(20.0).build();
    for (int i = 0; i < 5; i++) {
      Plan _ =
          rig.client()
              .plan(Rig.question(1L << 30, Source.builder().observations(List.of(direct)).build()));
    }
    assertThat(relay.probes).extracting(ProbeRequest::count).containsExactly(8, 42);
    time.pass(Duration.ofMinutes(6));

    plan();

    assertThat(relay.probes).extracting(ProbeRequest::count).containsExactly(8, 42, 8);
  }

  @Test
  void aFewConnectionsDoNotReplaceWhatManyHaveShown() {
    live(5);
    plan();
    time.pass(Duration.ofMinutes(6));
    relays.forEach(relay -> relay.probe = request -> FakeRelay.reached(request, 7, 0, 10));
    plan();
    time.pass(Duration.ofMinutes(6));

    assertThat(connections()).isEqualTo(200);
    assertThat(plan().candidates())
        .flatMap(Candidate::hops)
        .filteredOn(hop -> hop.to().equals("destination") && !hop.from().equals("source"))
        .isNotEmpty()
        .allSatisfy(
            hop -> assertThat(hop.probesSent()).as("packets of 32 connections").isEqualTo(64));
  }

  @Test
  void aRelayThatIsTooBusyToLookUsesUpNothing() {
    live(1);
    FakeRelay relay = relays.getFirst();
    relay.before =
        exchange -> {
          boolean isProbe = exchange.getRequestURI().getPath().endsWith("/probes");
          if (isProbe) {
            FakeRelay.answer(exchange, 429, "busy");
          }
          return isProbe;
        };
    for (int i = 0; i < 30; i++) {
      plan();
      time.pass(Duration.ofSeconds(11));
    }
    relay.behave();

    assertThat(plan().notes()).asString().doesNotContain("unmeasured");
  }

  @Test
  void whereTheHourHasNotEnoughForAllOtherRelaysLookTheNextTime() {
    live(26);
    plan();
    time.pass(Duration.ofMinutes(61));
    plan();

    assertThat(relays).noneMatch(relay -> relay.probes.isEmpty());
  }

  private void live(int count) {
    relays = IntStream.rangeClosed(1, count).mapToObj(i -> rig.live("r" + i)).toList();
  }

  private Plan plan() {
    return rig.client().plan(Rig.question(1L << 30, null));
  }

  private int connections() {
    return relays.stream()
        .flatMap(relay -> relay.probes.stream())
        .mapToInt(probe -> Objects.requireNonNull(probe.count()))
        .sum();
  }
}
