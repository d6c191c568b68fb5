package io.cascade.carriage.preamble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every event; an empty cell is a pair that cannot happen. */
class PreambleStateTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STATE,       EXPECT,      BYTES,       SUSPEND,     RESUME,      REST,        HAND_OVER,   CLOSE
          NEW,         READING,     READING,     ,            ,            ,            ,            CLOSED
          READING,     READING,     READING,     SUSPENDED,   ,            RESTING,     HANDED_OVER, CLOSED
          SUSPENDED,   ,            SUSPENDED,   ,            READING,     ,            ,            CLOSED
          RESTING,     READING,     READING,     ,            ,            ,            ,            CLOSED
          HANDED_OVER, HANDED_OVER, HANDED_OVER, HANDED_OVER, HANDED_OVER, HANDED_OVER, HANDED_OVER, HANDED_OVER
          CLOSED,      CLOSED,      CLOSED,      CLOSED,      CLOSED,      CLOSED,      CLOSED,      CLOSED
          """)
  void movesAsTheTableSays(
      PreambleState from,
      @Nullable PreambleState expect,
      @Nullable PreambleState bytes,
      @Nullable PreambleState suspend,
      @Nullable PreambleState resume,
      @Nullable PreambleState rest,
      @Nullable PreambleState handOver,
      PreambleState close) {
    @Nullable PreambleState[] expected = {expect, bytes, suspend, resume, rest, handOver, close};
    PreambleState.Event[] events = PreambleState.Event.values();
    for (int i = 0; i < events.length; i++) {
      PreambleState.Event event = events[i];
      PreambleState to = expected[i];
      if (to == null) {
        assertThatThrownBy(() -> from.after(event)).isInstanceOf(IllegalStateException.class);
      } else {
        assertThat(from.after(event)).as("%s while %s", event, from).isEqualTo(to);
      }
    }
  }

  @Test
  void aMessageIsPendingWhileItIsReadAndUntilItCanBeAnswered() {
    assertThat(List.of(PreambleState.values()).stream().filter(PreambleState::isPending))
        .containsExactly(PreambleState.READING, PreambleState.SUSPENDED);
  }
}
