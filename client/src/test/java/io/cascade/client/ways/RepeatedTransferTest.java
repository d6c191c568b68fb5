package io.cascade.client.ways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.UnreachableException;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RepeatedTransferTest {
  private final List<String> notes = new ArrayList<>();
  private final RepeatedTransfer transfer = new RepeatedTransfer(Duration.ofHours(1), notes::add);

  @Test
  void goesOnAfterABreakAlsoWhereTheOrchestratorIsAwayMeanwhile() throws Exception {
    Queue<Exception> failures =
        new ArrayDeque<>(
            List.of(
                TransferFailed.lost("broken", true),
                new UnreachableException("nobody there", new IOException("refused"))));

    assertThat(run(failures)).isEqualTo("sent");
    assertThat(notes).hasSize(2);
  }

  @Test
  void endsWhereTheOrchestratorWasAwayFromTheBeginning() {
    Queue<Exception> failures =
        new ArrayDeque<>(
            List.of(new UnreachableException("nobody there", new IOException("refused"))));

    assertThatThrownBy(() -> run(failures)).isInstanceOf(UnreachableException.class);
  }

  @Test
  void endsWhereTheReceiverRefuses() {
    Queue<Exception> failures = new ArrayDeque<>(List.of(new TransferFailed("a wrong code")));

    assertThatThrownBy(() -> run(failures)).hasMessage("a wrong code");
    assertThat(notes).isEmpty();
  }

  private String run(Queue<Exception> failures) throws Exception {
    return transfer.run(_ -> {
      Exception next = failures.poll();
      if (next != null) {
        throw next;
      }
      return "sent";
    });
  }
}
