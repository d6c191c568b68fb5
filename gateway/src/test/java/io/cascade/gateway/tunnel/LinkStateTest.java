package io.cascade.gateway.tunnel;

import static io.cascade.gateway.tunnel.LinkState.DOWN;
import static io.cascade.gateway.tunnel.LinkState.UNHEARD;
import static io.cascade.gateway.tunnel.LinkState.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.gateway.tunnel.LinkState.Event;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkStateTest {
  @ParameterizedTest
  @CsvSource({
    "DOWN, SESSION_BEGAN, UP",
    "DOWN, HEARD, DOWN",
    "DOWN, SILENCE, DOWN",
    "DOWN, SESSION_ENDED, DOWN",
    "UP, SESSION_BEGAN, UP",
    "UP, HEARD, UP",
    "UP, SILENCE, UNHEARD",
    "UP, SESSION_ENDED, DOWN",
    "UNHEARD, SESSION_BEGAN, UP",
    "UNHEARD, HEARD, UP",
    "UNHEARD, SILENCE, UNHEARD",
    "UNHEARD, SESSION_ENDED, DOWN"
  })
  void everyEventInEveryState(LinkState state, Event event, LinkState after) {
    assertThat(state.after(event)).isEqualTo(after);
  }

  @org.junit.jupiter.api.Test
  void thereAreNoOthers() {
    assertThat(LinkState.values()).containsExactly(DOWN, UP, UNHEARD);
    assertThat(Event.values()).hasSize(4);
  }
}
