package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetupModeTest {

  private static final List<Hop> HOPS = List.of(Hop.of(0.02, 0), Hop.of(0.03, 0), Hop.of(0.05, 0));

  @ParameterizedTest
  @CsvSource({"WARM, 0.02", "PARALLEL, 0.1", "CHAINED, 0.1", "SEQUENTIAL, 0.17"})
  void hasTheWorkedValues(SetupMode mode, double seconds) {
    assertThat(mode.seconds(HOPS)).isCloseTo(seconds, within(1e-12));
  }

  /**
   * "Cascaded TCP", equation 7: in parallel the first payload has arrived after 1.5 round trips.
   */
  @ParameterizedTest
  @CsvSource({"PARALLEL", "CHAINED"})
  void firstByteArrivesAfterOneAndAHalfRoundTrips(SetupMode mode) {
    CascadeTime time = TestCascades.withSetup(mode, Cascade.of(HOPS)).deliver(1);
    assertThat(time.totalSeconds()).isCloseTo(1.5 * 0.1, within(1e-12));
  }
}
