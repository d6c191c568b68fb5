package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pair of state and event. {@code -} is a pair that cannot happen. */
class StatesTest {
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,  ACTIVE,  SUSPECT, LEAVING, GONE",
    "SUSPECT, ACTIVE,  SUSPECT, LEAVING, GONE",
    "LEAVING, LEAVING, LEAVING, LEAVING, GONE",
    "GONE,    GONE,    GONE,    GONE,    GONE"
  })
  void pipe(
      PipeState from, PipeState heard, PipeState overdue, PipeState withdrawn, PipeState lost) {
    assertThat(from.on(PipeState.Event.HEARD)).isEqualTo(heard);
    assertThat(from.on(PipeState.Event.OVERDUE)).isEqualTo(overdue);
    assertThat(from.on(PipeState.Event.WITHDRAWN)).isEqualTo(withdrawn);
    assertThat(from.on(PipeState.Event.LOST)).isEqualTo(lost);
    assertThat(PipeState.Event.values()).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "OPENING,  OPEN,     OPENING,  -,        -,      RESET,  RESET",
    "OPEN,     OPEN,     STRANDED, COMPLETE, -,      -,      RESET",
    "STRANDED, OPEN,     STRANDED, COMPLETE, -,      RESET,  RESET",
    "COMPLETE, COMPLETE, COMPLETE, COMPLETE, CLOSED, CLOSED, CLOSED",
    "CLOSED,   CLOSED,   CLOSED,   CLOSED,   CLOSED, CLOSED, CLOSED",
    "RESET,    RESET,    RESET,    RESET,    RESET,  RESET,  RESET"
  })
  void stream(
      StreamState from,
      String joined,
      String lastLost,
      String allDone,
      String peerDone,
      String patienceOver,
      String failed) {
    check(from, StreamState.Event.PIPE_JOINED, joined);
    check(from, StreamState.Event.LAST_PIPE_LOST, lastLost);
    check(from, StreamState.Event.ALL_DONE, allDone);
    check(from, StreamState.Event.PEER_DONE, peerDone);
    check(from, StreamState.Event.PATIENCE_OVER, patienceOver);
    check(from, StreamState.Event.FAILED, failed);
    assertThat(StreamState.Event.values()).hasSize(6);
  }

  private static void check(StreamState from, StreamState.Event event, String expected) {
    if (expected.equals("-")) {
      assertThatThrownBy(() -> from.on(event)).isInstanceOf(IllegalStateException.class);
    } else {
      assertThat(from.on(event)).isEqualTo(StreamState.valueOf(expected));
    }
  }
}
