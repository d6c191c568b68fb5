package io.cascade.coding.session;

import static io.cascade.coding.session.SessionState.CLOSED;
import static io.cascade.coding.session.SessionState.ESTABLISHED;
import static io.cascade.coding.session.SessionState.LINGERING;
import static io.cascade.coding.session.SessionState.RESETTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state and every event of a session and its two streams. */
class StatesTest {
  @Test
  void aSessionMovesAsItsTableSays() {
    // BOTH_COMPLETE, RESET_WANTED, RESET_ARRIVED, RESET_SEEN, SILENCE, LINGERED
    assertRow(ESTABLISHED, LINGERING, RESETTING, LINGERING, ESTABLISHED, CLOSED, ESTABLISHED);
    assertRow(RESETTING, RESETTING, RESETTING, LINGERING, CLOSED, CLOSED, RESETTING);
    assertRow(LINGERING, LINGERING, LINGERING, LINGERING, LINGERING, CLOSED, CLOSED);
    assertRow(CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED);
  }

  private static void assertRow(SessionState from, SessionState... to) {
    assertThat(Arrays.stream(SessionState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }

  @Test
  void theStreamThatGoesOutMovesAsItsTableSays() {
    // END, ALL_ARRIVED, RESET
    assertRow(SendingState.OPEN, SendingState.ENDING, SendingState.OPEN, SendingState.RESET);
    assertRow(SendingState.ENDING, SendingState.ENDING, SendingState.FINISHED, SendingState.RESET);
    assertRow(
        SendingState.FINISHED, SendingState.FINISHED, SendingState.FINISHED, SendingState.FINISHED);
    assertRow(SendingState.RESET, SendingState.RESET, SendingState.RESET, SendingState.RESET);
  }

  private static void assertRow(SendingState from, SendingState... to) {
    assertThat(Arrays.stream(SendingState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }

  @Test
  void theStreamThatComesInMovesAsItsTableSays() {
    // END_ARRIVED, ALL_READ, RESET, ABANDONED
    assertRow(
        ReceivingState.RECEIVING,
        ReceivingState.COMPLETE,
        ReceivingState.RECEIVING,
        ReceivingState.RESET,
        ReceivingState.RESET);
    assertRow(
        ReceivingState.COMPLETE,
        ReceivingState.COMPLETE,
        ReceivingState.ENDED,
        ReceivingState.COMPLETE,
        ReceivingState.RESET);
    assertRow(
        ReceivingState.ENDED,
        ReceivingState.ENDED,
        ReceivingState.ENDED,
        ReceivingState.ENDED,
        ReceivingState.ENDED);
    assertRow(
        ReceivingState.RESET,
        ReceivingState.RESET,
        ReceivingState.RESET,
        ReceivingState.RESET,
        ReceivingState.RESET);
  }

  private static void assertRow(ReceivingState from, ReceivingState... to) {
    assertThat(Arrays.stream(ReceivingState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }
}
