package io.cascade.studies.topologies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class GainsTest {

  private static Gains of(double... gains) {
    CloudGrid.Pair pair = new CloudGrid.Pair("a", "b");
    return Gains.of(
        DoubleStream.of(gains)
            .mapToObj(gain ->
                new RuleOutcome(
                    pair,
                    Choice.of(List.of("a", "b")),
                    100,
                    1000,
                    1,
                    gain,
                    new RuleOutcome.Cause(pair, true, 1)))
            .toList());
  }

  @Test
  void quantilesAreValuesThatOccurred() {
    Gains gains = of(4, 1, 3, 2);

    assertThat(gains.quantile(0)).isEqualTo(1);
    assertThat(gains.quantile(0.25)).isEqualTo(1);
    assertThat(gains.median()).isEqualTo(2);
    assertThat(gains.quantile(1)).isEqualTo(4);
    assertThat(gains.mean()).isEqualTo(2.5);
  }

  @Test
  void fivePercentBelowIsTolerated() {
    assertThat(of(0.94, 0.95, 1, 2).belowDirect()).isEqualTo(0.25);
  }
}
