package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every event, of both ends of a test. */
class TestStatesTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STATE,      CONNECTED, ACCEPTED,  SENT,       CONFIRMED, STOPPED,   STREAM,    BROKE
          CONNECTING, ASKING,    FAILED,    FAILED,     FAILED,    FAILED,    GAVE_WAY,  FAILED
          ASKING,     FAILED,    SENDING,   FAILED,     FAILED,    GAVE_WAY,  GAVE_WAY,  FAILED
          SENDING,    FAILED,    FAILED,    CONFIRMING, FAILED,    GAVE_WAY,  GAVE_WAY,  FAILED
          CONFIRMING, FAILED,    FAILED,    FAILED,     COMPLETED, GAVE_WAY,  GAVE_WAY,  FAILED
          COMPLETED,  COMPLETED, COMPLETED, COMPLETED,  COMPLETED, COMPLETED, COMPLETED, COMPLETED
          GAVE_WAY,   GAVE_WAY,  GAVE_WAY,  GAVE_WAY,   GAVE_WAY,  GAVE_WAY,  GAVE_WAY,  GAVE_WAY
          FAILED,     FAILED,    FAILED,    FAILED,     FAILED,    FAILED,    FAILED,    FAILED
          """)
  void theSendersStates(
      SourceState from,
      SourceState connected,
      SourceState accepted,
      SourceState sent,
      SourceState confirmed,
      SourceState stopped,
      SourceState stream,
      SourceState broke) {
    List<SourceState> expected =
        List.of(connected, accepted, sent, confirmed, stopped, stream, broke);
    assertThat(Stream.of(SourceState.Event.values()).map(from::after))
        .containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          STATE,     ARRIVED,   ENDED,     STREAM,    BROKE
          EXPECTING, RECEIVING, FAILED,    GAVE_WAY,  FAILED
          RECEIVING, FAILED,    COMPLETED, GAVE_WAY,  FAILED
          COMPLETED, COMPLETED, COMPLETED, COMPLETED, COMPLETED
          GAVE_WAY,  GAVE_WAY,  GAVE_WAY,  GAVE_WAY,  GAVE_WAY
          FAILED,    FAILED,    FAILED,    FAILED,    FAILED
          """)
  void theReceiversStates(
      SinkState from, SinkState arrived, SinkState ended, SinkState stream, SinkState broke) {
    List<SinkState> expected = List.of(arrived, ended, stream, broke);
    assertThat(Stream.of(SinkState.Event.values()).map(from::after))
        .containsExactlyElementsOf(expected);
  }
}
