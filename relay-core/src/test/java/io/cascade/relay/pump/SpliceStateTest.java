package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every event. */
class SpliceStateTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STATE,    LEAVE,    EMPTIED, STOP
          MOVING,   EMPTYING, MOVING,  OVER
          EMPTYING, EMPTYING, OVER,    OVER
          OVER,     OVER,     OVER,    OVER
          """)
  void movesAsTheTableSays(
      SpliceState from, SpliceState leave, SpliceState emptied, SpliceState stop) {
    assertThat(Stream.of(SpliceState.Event.values()).map(from::after))
        .containsExactlyElementsOf(List.of(leave, emptied, stop));
  }
}
