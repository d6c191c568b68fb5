package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every event; an empty cell is a pair that cannot happen. */
class AcceptorStateTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STATE,       BYTES,       PARK,        INSTALLED, GREET, LEAVE
          SILENT,      OPENED,      ,            ,          ,      DONE
          OPENED,      OPENED,      PARKED,      ,          WARM,  DONE
          PARKED,      PARKED,      ,            OPENED,    ,      DONE
          WARM,        WARM,        WARM_PARKED, ,          ,      DONE
          WARM_PARKED, WARM_PARKED, ,            WARM,      ,      DONE
          DONE,        DONE,        DONE,        DONE,      DONE,  DONE
          """)
  void movesAsTheTableSays(
      AcceptorState from,
      @Nullable AcceptorState bytes,
      @Nullable AcceptorState park,
      @Nullable AcceptorState installed,
      @Nullable AcceptorState greet,
      AcceptorState leave) {
    @Nullable AcceptorState[] expected = {bytes, park, installed, greet, leave};
    AcceptorState.Event[] events = AcceptorState.Event.values();
    for (int i = 0; i < events.length; i++) {
      AcceptorState.Event event = events[i];
      AcceptorState to = expected[i];
      if (to == null) {
        assertThatThrownBy(() -> from.after(event)).isInstanceOf(IllegalStateException.class);
      } else {
        assertThat(from.after(event)).as("%s while %s", event, from).isEqualTo(to);
      }
    }
  }

  @Test
  void aWarmConnectionMayBeParkedAsWell() {
    assertThat(Stream.of(AcceptorState.values()).filter(AcceptorState::isWarm))
        .containsExactly(AcceptorState.WARM, AcceptorState.WARM_PARKED);
    assertThat(Stream.of(AcceptorState.values()).filter(AcceptorState::isParked))
        .containsExactly(AcceptorState.PARKED, AcceptorState.WARM_PARKED);
  }
}
