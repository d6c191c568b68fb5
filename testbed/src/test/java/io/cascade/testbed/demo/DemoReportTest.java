package io.cascade.testbed.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Plan;
import io.cascade.testbed.demo.DemoReport.Check;
import io.cascade.testbed.demo.DemoReport.Way;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the demonstration says at its end, and when it fails. */
class DemoReportTest {
  private static final Prediction FOUR_TIMES = new Prediction("CASCADE", 4.2, 3.6, 4.8);

  @Test
  void quickerChoiceHoldsAndSaysByHowMuch() {
    DemoReport report = report(41, 10, "f", FOUR_TIMES);

    assertThat(report.held()).isTrue();
    assertThat(report.gain()).isEqualTo(4.1);
    assertThat(report.sentence())
        .isEqualTo(
            "Cascade's own choice, through den and sea, was 4.1 times as fast as direct; predicted"
                + " 4.2 times, 3.6 to 4.8 (CASCADE).");
  }

  @Test
  void slowerChoiceFailsAndSaysSo() {
    DemoReport report = report(8, 10, "f", FOUR_TIMES);

    assertThat(report.held()).isFalse();
    assertThat(report.sentence()).contains("SLOWER than direct: 0.8 times as fast");
  }

  @Test
  void nearlyAsFastIsAsFast() {
    DemoReport report = report(9.6, 10, "f", FOUR_TIMES);

    assertThat(report.held()).isTrue();
    assertThat(report.sentence()).contains("was as fast as direct");
  }

  @Test
  void anotherDigestFailsWhateverTheGain() {
    DemoReport report = report(41, 10, "another", FOUR_TIMES);

    assertThat(report.held()).isFalse();
    assertThat(report.checks()).extracting(Check::held).containsExactly(true, false, true);
  }

  @Test
  void predictionIsTheRatioOfThePlansDurations() {
    Prediction prediction = Prediction.of(plan("[\"den\"]"));

    assertThat(prediction.decision()).isEqualTo("UNDECIDED");
    assertThat(prediction.times()).isEqualTo(4.0);
    // 4 / exp(√(ln² 4 + ln² 1.6)) and 4 · exp(√(ln² 1.5 + ln² 5))
    assertThat(prediction.low()).isCloseTo(0.926, within(0.001));
    assertThat(prediction.high()).isCloseTo(21.03, within(0.01));
  }

  @Test
  void planWithoutACascadePredictsNothing() {
    Prediction prediction = Prediction.of(plan("null"));

    assertThat(prediction).isEqualTo(new Prediction("UNDECIDED", null, null, null));
    assertThat(report(41, 10, "f", prediction).sentence()).contains("there was no prediction");
  }

  private static Plan plan(String relays) {
    return Json.lenient()
        .readValue(
            """
            {"destination": "server:9000", "decision": "UNDECIDED", "why": "",
             "plannedAt": "2026-01-01T00:00:00Z", "relays": %s, "candidates": [
              {"kind": "DIRECT", "relays": [], "hops": [], "chosen": true,
               "secondsLow": 10, "seconds": 40, "secondsHigh": 60},
              {"kind": "CASCADE", "relays": ["den"], "hops": [], "chosen": false,
               "secondsLow": 2, "seconds": 10, "secondsHigh": 16}]}
            """
                .formatted(relays),
            Plan.class);
  }

  private static DemoReport report(
      double direct, double chosen, String received, Prediction prediction) {
    return DemoReport.of(
        "a path",
        1,
        1_000,
        "f",
        prediction,
        way("DIRECT", List.of(), direct, "f"),
        way("CASCADE", List.of("den", "sea"), chosen, received),
        "http://127.0.0.1:1");
  }

  private static Way way(
      String route, List<String> relays, double seconds, @Nullable String received) {
    return new Way(route, relays, "", seconds, 8_000 / seconds, "f", String.valueOf(received));
  }
}
