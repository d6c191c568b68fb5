package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WayTest {
  @Test
  void relaysOfAFixedWayMaySendWithAllThatPlansChooseFrom() {
    assertThat(new Way(List.of("r1", "r2")).options())
        .containsExactly("--via", "r1,r2", "--controls", "reno,cubic,bbr");
    assertThat(Way.DIRECT.options()).containsExactly("--direct");
  }
}
