package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CongestionControlTest {

  @ParameterizedTest
  @CsvSource({
    "reno, RENO",
    "cubic, CUBIC",
    "CUBIC, CUBIC",
    "bbr, BBR",
    "bbr1, BBR",
    "bbr3, BBR_V3"
  })
  void goesByTheNameThatKernelsGiveIt(String name, CongestionControl control) {
    assertThat(CongestionControl.named(name)).contains(control);
  }

  @Test
  void hasNoModelOfOthers() {
    assertThat(CongestionControl.named("vegas")).isEmpty();
  }

  @Test
  void bothVersionsOfBbrSayThatTheyAreHeuristics() {
    assertThat(CongestionControl.BBR.model().basis()).isEqualTo("bbr v1, heuristic");
    assertThat(CongestionControl.BBR_V3.model().basis()).isEqualTo("bbr v3, heuristic");
  }
}
