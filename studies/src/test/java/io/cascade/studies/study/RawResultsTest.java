package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where runs are kept. */
class RawResultsTest {
  @Test
  void runsStandBesideTheirPages() {
    assertThat(RawResults.of(Path.of("out"))).isEqualTo(Path.of("out", "results"));
  }

  @Test
  void thoseOfTheRepositoryStandApart() {
    assertThat(RawResults.of(Path.of("/checkout/docs/experiments")))
        .isEqualTo(Path.of("/checkout/studies/results"));
    assertThat(RawResults.of(Path.of("/checkout/docs/experiments/peers")))
        .isEqualTo(Path.of("/checkout/studies/results/peers"));
  }
}
