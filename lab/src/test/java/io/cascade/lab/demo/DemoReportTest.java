package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.lab.demo.DemoReport.Way;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the demonstration says at its end, and when it fails. */
class DemoReportTest {
  @Test
  void quickerChoiceHoldsAndSaysByHowMuch() {
    DemoReport report = report(41, 10, "f");

    assertThat(report.held()).isTrue();
    assertThat(report.gain()).isEqualTo(4.1);
    assertThat(report.sentence())
        .isEqualTo(
            "cascade send was 4.1 times as fast as one plain TCP connection, and filled 80 % of the"
                + " link.");
  }

  @Test
  void slowerChoiceFailsAndSaysSo() {
    DemoReport report = report(8, 10, "f");

    assertThat(report.held()).isFalse();
    assertThat(report.sentence())
        .contains("SLOWER than one plain TCP connection: 0.8 times as fast");
  }

  @Test
  void nearlyAsFastIsAsFast() {
    DemoReport report = report(9.6, 10, "f");

    assertThat(report.held()).isTrue();
    assertThat(report.sentence()).contains("was as fast as one plain TCP connection");
  }

  @Test
  void anotherDigestFailsWhateverTheGain() {
    DemoReport report = report(41, 10, "another");

    assertThat(report.held()).isFalse();
    assertThat(report.checks()).extracting(Check::held).containsExactly(true, false, true);
  }

  private static DemoReport report(double plain, double chosen, String received) {
    return DemoReport.of(
        "a path",
        1,
        1_000,
        "f",
        "UNDECIDED",
        way("DIRECT", List.of(), plain, "f"),
        way("CASCADE", List.of("den", "sea"), chosen, received),
        1_000,
        "http://127.0.0.1:1");
  }

  private static Way way(
      String route, List<String> relays, double seconds, @Nullable String received) {
    return new Way(route, relays, "", seconds, 8_000 / seconds, "f", String.valueOf(received));
  }
}
