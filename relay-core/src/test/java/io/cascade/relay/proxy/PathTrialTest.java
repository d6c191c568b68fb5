package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RouteWay;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PathTrialTest {
  private static final UUID CHAIN = UUID.randomUUID();

  private long now = -17; // any clock's

  @ParameterizedTest
  @EnumSource
  void streamsTakeBothWaysInTurnAndTheOtherOneFirst(PathKind inUse) {
    PathTrial trial = new PathTrial(CHAIN, inUse, now);
    assertThat(trial.next(now)).isEqualTo(inUse.other());
    assertThat(trial.next(now)).isEqualTo(inUse);
    assertThat(trial.next(now)).isEqualTo(inUse.other());
    assertThat(trial.running()).isTrue();
  }

  /** The way in use is left for one that is 1.25 times as quick, and kept otherwise. */
  @ParameterizedTest
  @CsvSource({
    "DIRECT, 10, 20,   CHAIN,  a clear lead",
    "DIRECT, 10, 12.5, CHAIN,  a clear lead",
    "DIRECT, 10, 12.4, DIRECT, no clear lead",
    "DIRECT, 10, 9,    DIRECT, no clear lead",
    "DIRECT, 20, 10,   DIRECT, a clear lead",
    "CHAIN,  20, 10,   DIRECT, a clear lead",
    "CHAIN,  12, 10,   CHAIN,  no clear lead",
    "CHAIN,  10, 20,   CHAIN,  a clear lead",
  })
  void threeBulkStreamsEachWayDecide(
      PathKind inUse, double direct, double chain, PathKind verdict, String why) {
    PathTrial trial = new PathTrial(CHAIN, inUse, now);
    for (int i = 0; i < 3; i++) {
      trial.measured(PathKind.DIRECT, bulk(direct), now);
      assertThat(trial.running()).isTrue();
      trial.measured(PathKind.CHAIN, bulk(chain), now);
    }
    assertThat(trial.running()).isFalse();
    assertThat(trial.next(now)).isEqualTo(verdict);
    assertThat(trial.next(now)).isEqualTo(verdict);
    assertThat(trial.summary()).startsWith("tried: ").contains(": " + why + ", continues ");
  }

  @Test
  void oneStreamThatIsFarOffDoesNotDecide() {
    PathTrial trial = new PathTrial(CHAIN, PathKind.DIRECT, now);
    for (double rate : new double[] {10, 1_000, 10}) {
      trial.measured(PathKind.CHAIN, bulk(rate), now);
      trial.measured(PathKind.DIRECT, bulk(10), now);
    }
    assertThat(trial.standing()).isEqualTo(PathKind.DIRECT);
  }

  @ParameterizedTest
  @CsvSource({"10, 20, CHAIN", "10, 19, DIRECT", "20, 10, DIRECT"})
  void whenTimeIsUpOneBulkStreamEachWayDoesWhereTheLeadIsTwofold(
      double direct, double chain, PathKind verdict) {
    PathTrial trial = new PathTrial(CHAIN, PathKind.DIRECT, now);
    trial.measured(PathKind.DIRECT, bulk(direct), now);
    trial.measured(PathKind.CHAIN, bulk(chain), now);
    now += PathTrial.MOST_TIME.toNanos() - 1;
    PathKind ignored = trial.next(now);
    assertThat(trial.running()).isTrue();
    now++;
    assertThat(trial.next(now)).isEqualTo(verdict);
    assertThat(trial.running()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"100, 40, CHAIN", "100, 90, DIRECT", "40, 100, DIRECT"})
  void whereNothingCarriesBulkTheFirstByteDecides(long direct, long chain, PathKind verdict) {
    PathTrial trial = new PathTrial(CHAIN, PathKind.DIRECT, now);
    for (int i = 0; i < 3; i++) {
      trial.measured(PathKind.DIRECT, brief(direct), now);
      trial.measured(PathKind.CHAIN, brief(chain), now);
    }
    assertThat(trial.running()).isTrue();
    now += PathTrial.MOST_TIME.toNanos();
    assertThat(trial.next(now)).isEqualTo(verdict);
  }

  @ParameterizedTest
  @EnumSource
  void whereTooFewStreamsSayAnythingTheWayInUseStays(PathKind inUse) {
    PathTrial trial = new PathTrial(CHAIN, inUse, now);
    trial.measured(PathKind.DIRECT, bulk(10), now);
    trial.measured(PathKind.CHAIN, silent(), now);
    now += PathTrial.MOST_TIME.toNanos();
    assertThat(trial.next(now)).isEqualTo(inUse);
    assertThat(trial.summary()).contains("too few streams to compare");
  }

  @Test
  void aTrialSendsAndMeasuresOnlySoManyStreams() {
    PathTrial trial = new PathTrial(CHAIN, PathKind.DIRECT, now);
    int throughTheChain = 0;
    for (int i = 0; i < 3 * PathTrial.MOST_STREAMS; i++) {
      throughTheChain += trial.next(now) == PathKind.CHAIN ? 1 : 0;
    }
    assertThat(throughTheChain).isEqualTo(PathTrial.MOST_STREAMS / 2);
    for (int i = 0; i < PathTrial.MOST_STREAMS; i++) {
      assertThat(trial.running()).isTrue();
      trial.measured(PathKind.DIRECT, bulk(10), now);
    }
    assertThat(trial.running()).isFalse();
    trial.measured(PathKind.DIRECT, bulk(10), now);
    assertThat(trial.report(now).direct().streams()).isEqualTo(PathTrial.MOST_STREAMS);
  }

  @Test
  void aVerdictCountsForAnHourAndStandsUntilThereIsAnother() {
    PathTrial trial = decided();
    now += Duration.ofMinutes(59).toNanos();
    assertThat(trial.counts(now)).isTrue();
    assertThat(trial.report(now).validSeconds()).isEqualTo(60);
    now += Duration.ofMinutes(1).toNanos();
    assertThat(trial.counts(now)).isFalse();
    assertThat(trial.next(now)).isEqualTo(PathKind.CHAIN);
  }

  @Test
  void aFailureOfTheChainDecidesForTenMinutes() {
    PathTrial trial = new PathTrial(CHAIN, PathKind.CHAIN, now);
    trial.failed(now);
    assertThat(trial.next(now)).isEqualTo(PathKind.DIRECT);
    now += Duration.ofMinutes(10).toNanos() - 1;
    assertThat(trial.counts(now)).isTrue();
    now++;
    assertThat(trial.counts(now)).isFalse();
  }

  @Test
  void nothingChangesAVerdict() {
    PathTrial trial = decided();
    String before = trial.summary();
    trial.failed(now);
    trial.measured(PathKind.DIRECT, bulk(1e6), now);
    now += PathTrial.MOST_TIME.toNanos();
    assertThat(trial.next(now)).isEqualTo(PathKind.CHAIN);
    assertThat(trial.summary()).isEqualTo(before);
  }

  @Test
  void whatIsFoundOutIsReportedInNumbersAndInWords() {
    PathTrial trial = new PathTrial(CHAIN, PathKind.DIRECT, now);
    assertThat(trial.summary()).isEqualTo("trying: 0 through the chain, 0 directly");
    trial.measured(PathKind.CHAIN, brief(40), now);
    assertThat(trial.report(now).verdict()).isNull();
    assertThat(trial.report(now).chain().firstByteMillis()).isEqualTo(40);
    assertThat(trial.report(now).chain().bitsPerSecond()).isNull();
    PathTrial decided = decided();
    assertThat(decided.summary())
        .isEqualTo(
            "tried: 3 through the chain at 12.1 Mbit/s, 3 directly at 1.60 Mbit/s:"
                + " a clear lead, continues through the chain");
    assertThat(decided.report(now).verdict()).isEqualTo(RouteWay.CHAIN);
    assertThat(Objects.requireNonNull(decided.report(now).direct().bitsPerSecond()))
        .isEqualTo(1.6e6);
  }

  private PathTrial decided() {
    PathTrial trial = new PathTrial(CHAIN, PathKind.DIRECT, now);
    for (int i = 0; i < 3; i++) {
      trial.measured(PathKind.DIRECT, bulk(1.6), now);
      trial.measured(PathKind.CHAIN, bulk(12.1), now);
    }
    return trial;
  }

  private static StreamPace.Achieved bulk(double megabitsPerSecond) {
    return new StreamPace.Achieved(Math.round(megabitsPerSecond * 1e6 / 8), 1_000_000_000, 1, true);
  }

  private static StreamPace.Achieved brief(long firstByteMillis) {
    return new StreamPace.Achieved(900, 5_000_000, firstByteMillis * 1_000_000, false);
  }

  private static StreamPace.Achieved silent() {
    return new StreamPace.Achieved(0, 0, -1, false);
  }
}
