package io.cascade.orchestrator.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LinkWindowTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final LinkWindow window = LinkWindow.recent(NOW);

  @Test
  void countsAddUpAndTheLeastRoundTripStays() {
    window.add(NOW, 10, 1, 40.0, 41.0, 0.5);
    window.add(NOW.plusSeconds(1), 10, 0, 38.0, 40.5, 0.4);
    window.add(NOW.plusSeconds(2), 10, 2, 44.0, 42.0, 0.6);

    LinkWindow.Counts counts = window.counts(NOW.plusSeconds(3));

    assertThat(counts.sent()).isEqualTo(30);
    assertThat(counts.lost()).isEqualTo(3);
    assertThat(counts.minRttMillis()).isEqualTo(38);
    assertThat(counts.smoothedRttMillis()).isEqualTo(42);
    assertThat(counts.jitterMillis()).isEqualTo(0.6);
    assertThat(counts.updatedAt()).isEqualTo(NOW.plusSeconds(2));
  }

  @Test
  void whatIsOlderThanTheWindowNoLongerCounts() {
    window.add(NOW, 100, 50, 5.0, 5.0, 0.1);
    window.add(NOW.plus(LinkWindow.RECENT).minusSeconds(30), 10, 0, 60.0, 60.0, 0.1);

    LinkWindow.Counts counts = window.counts(NOW.plus(LinkWindow.RECENT).plusSeconds(1));

    assertThat(counts.sent()).isEqualTo(10);
    assertThat(counts.lost()).isZero();
    assertThat(counts.minRttMillis()).isEqualTo(60);
  }

  @Test
  void probesOfALinkThatIsProbedAtASlowerPaceCountForHalfAnHour() {
    LinkWindow probes = LinkWindow.probes(NOW);
    probes.add(NOW, 600, 6, 5.0, 5.0, 0.1);
    Instant at = NOW;
    while (at.isBefore(NOW.plus(Duration.ofMinutes(29)))) {
      at = at.plusSeconds(10);
      probes.add(at, 5, 0, 60.0, 60.0, 0.1);
    }
    assertThat(probes.counts(at).lost()).isEqualTo(6);
    assertThat(probes.counts(at).sent()).isEqualTo(600 + 29 * 6 * 5);
    assertThat(probes.counts(at).minRttMillis()).as("of the last five minutes").isEqualTo(60);
    assertThat(probes.counts(at.plus(Duration.ofMinutes(2))).lost()).isZero();
  }

  @Test
  void probesThatAreManyEnoughReplaceOlderOnesAfterFiveMinutes() {
    LinkWindow probes = LinkWindow.probes(NOW);
    probes.add(NOW, 600, 6, 5.0, 5.0, 0.1);
    probes.add(NOW.plusSeconds(200), 3_000, 0, 5.0, 5.0, 0.1);
    assertThat(probes.counts(NOW.plusSeconds(301)).sent()).isEqualTo(3_000);
  }

  @Test
  void probesOfALinkThatIsNoLongerProbedCountForFiveMinutes() {
    LinkWindow probes = LinkWindow.probes(NOW);
    probes.add(NOW, 600, 6, 5.0, 5.0, 0.1);
    assertThat(probes.counts(NOW.plusSeconds(301)).sent()).isZero();
  }

  @Test
  void aBurstIsOneEventAmongTheProbesThatWereReceived() {
    window.add(NOW, 300, 8, 1, 5.0, 5.0, 0.1);

    assertThat(window.counts(NOW).lost()).isEqualTo(8);
    assertThat(window.counts(NOW).events()).isEqualTo(1);
    assertThat(window.counts(NOW).sentForEvents()).isEqualTo(292);
  }

  @Test
  void whereEachLossIsAnEventAllProbesCount() {
    window.add(NOW, 300, 3, 5.0, 5.0, 0.1);
    window.add(NOW, 30, 30, null, null, null);

    assertThat(window.counts(NOW).sentForEvents()).isEqualTo(330);
  }

  @Test
  void anIdleWindowRunsEmpty() {
    window.add(NOW, 100, 1, 5.0, 5.0, 0.1);

    assertThat(window.counts(NOW.plus(Duration.ofHours(1))).sent()).isZero();
    assertThat(window.counts(NOW.plus(Duration.ofHours(1))).minRttMillis()).isNull();
  }

  @Test
  void measurementsWithoutAnAnswerCountAsSent() {
    window.add(NOW, 10, 10, null, null, null);

    assertThat(window.counts(NOW).lost()).isEqualTo(10);
    assertThat(window.counts(NOW).minRttMillis()).isNull();
  }

  @Test
  void aDayIsKeptInSpansOfFiveMinutesWhereSomebodyMeasured() {
    LinkWindow day = LinkWindow.day(NOW);
    day.add(NOW, 100, 1, 40.0, 41.0, 0.1);
    day.add(NOW.plusSeconds(200), 100, 3, 39.0, 43.0, 0.1);
    day.add(NOW.plus(Duration.ofHours(23)), 10, 10, null, null, null);

    assertThat(day.spans(NOW.plus(Duration.ofHours(23))))
        .containsExactly(
            new LinkWindow.Span(NOW, 200, 4, 39.0, 43.0),
            new LinkWindow.Span(NOW.plus(Duration.ofHours(23)), 10, 10, null, null));
    assertThat(day.spans(NOW.plus(Duration.ofHours(25)))).hasSize(1);
  }
}
