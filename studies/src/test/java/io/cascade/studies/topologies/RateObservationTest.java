package io.cascade.studies.topologies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.Interval;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateObservationTest {
  private static final double MODEL_SCATTER = 0.20;

  @ParameterizedTest
  @CsvSource({"150, 2000, 0.1", "150, 2000, 0.3", "5, 4500, 0.1", "300, 900, 0.2"})
  void plannerPredictsTheMeasuredRateWithItsError(double millis, double megabits, double error) {
    LinkEstimate link = RateObservation.ofTest(millis, megabits, error).estimate();
    Interval predicted =
        new RoutePlanner()
            .plan(
                Topology.builder().link("a", "b", link).build(),
                RouteQuestion.between("a", "b").build())
            .chosen()
            .prediction()
            .orElseThrow()
            .goodputBitsPerSecond();

    double each = megabits * 1e6 / CloudGrid.CONNECTIONS;
    assertThat(predicted.likely()).isEqualTo(each, within(0.01 * each));
    // Half of the 95 % interval is 1.96 standard deviations; counts are whole and few. The model's
    // own
    // scatter for CUBIC is part of it.
    double spread = Math.log(predicted.high() / predicted.low()) / 2 / 1.96;
    double expected = Math.hypot(error, MODEL_SCATTER);
    assertThat(spread).isEqualTo(expected, within(0.35 * expected));
    assertThat(link.capacity()).isEqualTo(new Capacity.Unlimited());
  }
}
