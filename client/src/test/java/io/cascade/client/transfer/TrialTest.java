package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** What a trial says, with rates as functions of the time in seconds. */
class TrialTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Trial TRIAL = new Trial(Duration.ofSeconds(2), Duration.ofSeconds(6));

  /** Bytes per second at a moment, for both, and when the second one began. */
  private record Run(DoubleUnaryOperator first, DoubleUnaryOperator second, double begins) {

    /** The moment of the verdict, and the verdict. */
    String verdict() {
      Pace one = new Pace(0);
      Pace other = new Pace((long) (begins * SECOND));
      for (long step = 1; step <= 200; step++) {
        long now = step * SECOND / 20;
        double seconds = now / 1e9;
        one.arrived((long) (first.applyAsDouble(seconds) / 20), now);
        if (seconds > begins) {
          other.arrived((long) (second.applyAsDouble(seconds - begins) / 20), now);
        }
        var said = TRIAL.judge(one, other, now);
        if (said.isPresent()) {
          return "%s after %.1f s".formatted(said.get(), seconds - begins);
        }
      }
      return "nothing";
    }
  }

  @Test
  void aClearLeadIsTakenAsSoonAsItMayBe() {
    assertThat(new Run(_ -> 1e5, _ -> 1e6, 0).verdict()).isEqualTo("SECOND after 2.0 s");
    assertThat(new Run(_ -> 1e6, _ -> 1e5, 0).verdict()).isEqualTo("FIRST after 2.0 s");
  }

  @Test
  void theFirstOnesLeadInTimeDoesNotCount() {
    assertThat(new Run(_ -> 1e5, _ -> 1e6, 3).verdict()).isEqualTo("SECOND after 2.0 s");
  }

  @Test
  void oneThatCatchesUpIsWaitedFor() {
    // Doubles every 0.4 s, and is the quicker one in the end.
    DoubleUnaryOperator slowStart = seconds -> Math.min(2e6, 2e4 * Math.pow(2, seconds / 0.4));
    assertThat(new Run(slowStart, _ -> 1e6, 0).verdict()).startsWith("FIRST after ");
  }

  @Test
  void nextToNoDifferenceIsNone() {
    assertThat(new Run(_ -> 1e6, _ -> 1.02e6, 0).verdict()).isEqualTo("FIRST after 6.0 s");
    assertThat(new Run(_ -> 1e6, _ -> 1.15e6, 0).verdict()).isEqualTo("SECOND after 6.0 s");
  }

  @Test
  void whatCarriesNothingLoses() {
    assertThat(new Run(_ -> 0, _ -> 1e4, 0).verdict()).isEqualTo("SECOND after 2.0 s");
    assertThat(new Run(_ -> 1e4, _ -> 0, 0).verdict()).isEqualTo("FIRST after 2.0 s");
    assertThat(new Run(_ -> 0, _ -> 0, 0).verdict()).isEqualTo("FIRST after 6.0 s");
  }
}
