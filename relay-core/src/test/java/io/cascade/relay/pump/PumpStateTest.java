package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cascade.relay.pump.PumpState.Event;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state with every event. */
class PumpStateTest {
  /** Columns in the order of the events; {@code -} where the event is impossible. */
  private static final String TABLE =
      """
      HOLDING     OFFERED     FLOWING   -         HOLDING     HOLDING_ALL DISCARDED HOLDING     -        DISCARDED
      HOLDING_ALL OFFERED_ALL ENDING    -         HOLDING_ALL HOLDING_ALL DISCARDED HOLDING_ALL -        DISCARDED
      OFFERED     OFFERED     FLOWING   FLOWING   HOLDING     OFFERED_ALL DISCARDED OFFERED     -        DISCARDED
      OFFERED_ALL OFFERED_ALL ENDING    ENDING    HOLDING_ALL OFFERED_ALL DISCARDED OFFERED_ALL -        DISCARDED
      FLOWING     -           -         -         -           ENDING      DRAINING  FLOWING     -        DISCARDED
      ENDING      -           -         -         -           ENDING      DRAINING  FINISHING   -        DISCARDED
      DRAINING    -           -         -         -           DRAINING    DRAINING  DRAINED     -        DISCARDED
      DRAINED     -           -         -         -           DRAINED     DRAINED   DRAINED     -        DISCARDED
      FINISHING   -           -         -         -           FINISHING   FINISHING FINISHING   FINISHED FINISHING
      FINISHED    -           -         -         -           FINISHED    FINISHED  FINISHED    -        FINISHED
      DISCARDED   DISCARDED   DISCARDED DISCARDED DISCARDED   DISCARDED   DISCARDED DISCARDED   -        DISCARDED
      """;

  @Test
  void everyStateWithEveryEvent() {
    List<String> rows = TABLE.lines().toList();
    assertThat(rows).hasSize(PumpState.values().length);
    for (String row : rows) {
      String[] cells = row.split(" +");
      PumpState from = PumpState.valueOf(cells[0]);
      assertThat(cells).hasSize(1 + Event.values().length);
      int cell = 0;
      for (Event event : Event.values()) {
        check(from, event, cells[++cell]);
      }
    }
  }

  @Test
  void whatAStateMeans() {
    assertThat(those(PumpState::isSourceOpen)).containsExactly("HOLDING", "OFFERED", "FLOWING");
    assertThat(those(PumpState::takesBytes))
        .containsExactly("HOLDING", "HOLDING_ALL", "OFFERED", "OFFERED_ALL", "FLOWING", "ENDING");
    assertThat(those(PumpState::isOffered)).containsExactly("OFFERED", "OFFERED_ALL");
    assertThat(those(PumpState::isConfirmed)).containsExactly("FLOWING", "ENDING", "DRAINING");
    assertThat(those(PumpState::hasSink))
        .containsExactly("OFFERED", "OFFERED_ALL", "FLOWING", "ENDING", "DRAINING");
    assertThat(those(PumpState::isOver)).containsExactly("FINISHING", "FINISHED", "DISCARDED");
  }

  private static List<String> those(java.util.function.Predicate<PumpState> what) {
    return Arrays.stream(PumpState.values()).filter(what).map(Enum::name).toList();
  }

  private static void check(PumpState from, Event event, String expected) {
    if (expected.equals("-")) {
      assertThatIllegalStateException()
          .as("%s after %s", from, event)
          .isThrownBy(() -> from.after(event));
    } else {
      assertThat(from.after(event)).as("%s after %s", from, event).hasToString(expected);
    }
  }
}
