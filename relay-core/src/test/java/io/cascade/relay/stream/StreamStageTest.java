package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cascade.relay.stream.StreamStage.Event;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every stage with every event. */
class StreamStageTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STAGE,    CONFIRMED,  BROKE,    END
          OPENING,  FLOWING,    ORPHANED, ENDED
          ORPHANED, FAILING,    ORPHANED, ENDED
          FLOWING,  impossible, FAILING,  ENDED
          FAILING,  impossible, ENDED,    ENDED
          ENDED,    ENDED,      ENDED,    ENDED
          """)
  void stages(StreamStage from, String confirmed, String broke, String end) {
    check(from, Event.CONFIRMED, confirmed);
    check(from, Event.BROKE, broke);
    check(from, Event.END, end);
    assertThat(EnumSet.allOf(Event.class)).hasSize(3);
  }

  private static void check(StreamStage from, Event event, String expected) {
    if (expected.equals("impossible")) {
      assertThatIllegalStateException().isThrownBy(() -> from.after(event));
    } else {
      assertThat(from.after(event)).as("%s after %s", from, event).hasToString(expected);
    }
  }
}
