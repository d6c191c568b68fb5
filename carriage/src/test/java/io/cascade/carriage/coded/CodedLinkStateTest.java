package io.cascade.carriage.coded;

import static io.cascade.carriage.coded.CodedLinkState.CLOSED;
import static io.cascade.carriage.coded.CodedLinkState.DIALLING;
import static io.cascade.carriage.coded.CodedLinkState.FALLEN_BACK;
import static io.cascade.carriage.coded.CodedLinkState.NONE;
import static io.cascade.carriage.coded.CodedLinkState.TRYING_AGAIN;
import static io.cascade.carriage.coded.CodedLinkState.UP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state and every event of the way to a peer. */
class CodedLinkStateTest {
  @Test
  void movesAsItsTableSays() {
    // WANTED, AGREED, UNANSWERED, RETRY_DUE, SESSION_ENDED, CLOSE
    assertRow(NONE, DIALLING, NONE, NONE, NONE, NONE, CLOSED);
    assertRow(DIALLING, DIALLING, UP, FALLEN_BACK, DIALLING, DIALLING, CLOSED);
    assertRow(UP, UP, UP, UP, UP, NONE, CLOSED);
    assertRow(
        FALLEN_BACK, FALLEN_BACK, FALLEN_BACK, FALLEN_BACK, TRYING_AGAIN, FALLEN_BACK, CLOSED);
    assertRow(TRYING_AGAIN, TRYING_AGAIN, UP, FALLEN_BACK, TRYING_AGAIN, TRYING_AGAIN, CLOSED);
    assertRow(CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED);
  }

  private static void assertRow(CodedLinkState from, CodedLinkState... to) {
    assertThat(Arrays.stream(CodedLinkState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }
}
