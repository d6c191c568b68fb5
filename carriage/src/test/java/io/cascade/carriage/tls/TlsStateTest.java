package io.cascade.carriage.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every event; an empty cell is a pair that cannot happen. */
class TlsStateTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STATE,       BEGIN,       ESTABLISH, CLOSE_NOTIFY, FAIL
          NEW,         HANDSHAKING, ,          ,             FAILED
          HANDSHAKING, ,            OPEN,      ,             FAILED
          OPEN,        ,            ,          INPUT_ENDED,  FAILED
          INPUT_ENDED, ,            ,          ,             FAILED
          FAILED,      FAILED,      FAILED,    FAILED,       FAILED
          """)
  void movesAsTheTableSays(
      TlsState from,
      @Nullable TlsState begin,
      @Nullable TlsState establish,
      @Nullable TlsState closeNotify,
      TlsState fail) {
    @Nullable TlsState[] expected = {begin, establish, closeNotify, fail};
    TlsState.Event[] events = TlsState.Event.values();
    for (int i = 0; i < events.length; i++) {
      TlsState.Event event = events[i];
      TlsState to = expected[i];
      if (to == null) {
        assertThatThrownBy(() -> from.after(event)).isInstanceOf(IllegalStateException.class);
      } else {
        assertThat(from.after(event)).as("%s while %s", event, from).isEqualTo(to);
      }
    }
  }
}
