package io.cascade.client.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.transfers.TransferRequest;
import io.cascade.api.transfers.TransferState;
import io.cascade.client.service.ServedTransfer.Event;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferTableTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private static final int MOST = 4;

  @TempDir Path state;

  @Test
  void whatHadNotEndedWaitsInTheNextProcess() throws Exception {
    ServedTransfer arrived;
    ServedTransfer running;
    ServedTransfer waiting;
    try (TransferTable table = table()) {
      arrived = table.submit(request("/a"), "key", "h:1").transfer();
      running = table.submit(request("/b"), null, "h:1").transfer();
      waiting = table.submit(request("/c"), null, "h:1").transfer();
      table.move(arrived, Event.BEGINS, _ -> {});
      table.move(arrived, Event.ARRIVES, it -> it.verified("0f"));
      table.move(running, Event.BEGINS, _ -> {});
    }

    try (TransferTable table = table()) {
      assertThat(table.waiting())
          .extracting(ServedTransfer::id)
          .containsExactly(running.id(), waiting.id());
      assertThat(table.document(table.find(arrived.id())))
          .isEqualTo(arrived.document())
          .satisfies(one -> assertThat(one.sha256()).isEqualTo("0f"));
      assertThat(table.submit(request("/a"), "key", "h:1").isNew()).isFalse();
    }
  }

  @Test
  void aLineThatWasTornIsPassedOver() throws Exception {
    ServedTransfer whole;
    try (TransferTable table = table()) {
      whole = table.submit(request("/a"), null, "h:1").transfer();
    }
    Path journal = state.resolve("transfers");
    Files.writeString(journal, "{\"key\":null,\"requ", StandardOpenOption.APPEND);

    try (TransferTable table = table()) {
      assertThat(table.list(null)).hasSize(1);
      table.move(table.find(whole.id()), Event.STOPS, _ -> {});
    }
    try (TransferTable table = table()) {
      assertThat(table.find(whole.id()).state()).isEqualTo(TransferState.STOPPED);
    }
    assertThat(Files.getPosixFilePermissions(journal))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aSecondProcessDoesNotWriteTheSameJournal() throws Exception {
    try (TransferTable _ = table()) {
      assertThatThrownBy(this::table)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another ./cascade serve");
    }
  }

  @Test
  void theOldestOnesThatHaveEndedAreForgotten() throws Exception {
    try (TransferTable table = table()) {
      ServedTransfer first = table.submit(request("/first"), null, "h:1").transfer();
      ServedTransfer second = table.submit(request("/second"), null, "h:1").transfer();
      table.move(second, Event.STOPS, _ -> {});
      while (table.list(null).size() < MOST) {
        table.submit(request("/more"), null, "h:1");
      }

      table.submit(request("/one more"), null, "h:1");

      assertThat(table.list(null)).hasSize(MOST);
      assertThat(table.find(first.id())).isSameAs(first);
      assertThatThrownBy(() -> table.find(second.id())).isInstanceOf(ServiceProblem.class);
      assertThatThrownBy(() -> table.submit(request("/too many"), null, "h:1"))
          .isInstanceOf(ServiceProblem.class)
          .hasMessageContaining(MOST + " transfers are unfinished");
    }
  }

  @Test
  void changesAreTheLatestOfEachTransferInTheirOrder() throws Exception {
    try (TransferTable table = table()) {
      ServedTransfer one = table.submit(request("/one"), null, "h:1").transfer();
      ServedTransfer other = table.submit(request("/other"), null, "h:1").transfer();
      table.move(one, Event.BEGINS, _ -> {});
      table.progress(one, it -> it.moved(1, 8.0));
      table.progress(one, it -> it.moved(2, 8.0));
      table.progress(other, it -> it.moved(3, 8.0)); // It does not run.

      List<TransferTable.Change> all = table.changes(0, null, Duration.ZERO);
      assertThat(all)
          .extracting(change -> change.transfer().id())
          .containsExactly(other.id(), one.id());
      assertThat(all.getLast().transfer().bytes()).isEqualTo(2);
      long known = all.getLast().revision();
      assertThat(table.changes(known, null, Duration.ZERO)).isEmpty();

      table.move(other, Event.STOPS, _ -> {});
      assertThat(table.changes(known, one, Duration.ZERO)).isEmpty();
      assertThat(table.changes(known, other, Duration.ofSeconds(30))).hasSize(1);
    }
  }

  @Test
  void aStopThatCannotBeWrittenEndsTheTransferAllTheSame() throws Exception {
    Thread sending =
        Thread.ofVirtual()
            .start(() -> {
              try {
                Thread.sleep(Duration.ofHours(1));
              } catch (InterruptedException e) {
                return; // That is what ends it.
              }
            });
    TransferTable table = table();
    ServedTransfer one = table.submit(request("/a"), null, "h:1").transfer();
    table.sentBy(one, sending);
    table.close();
    OrchestratorClient nobody = new OrchestratorClient(URI.create("http://127.0.0.1:1"), null);
    Runs runs = new Runs(table, new Outgoing(List.of(state), null), nobody, 1, _ -> {});

    assertThatThrownBy(() -> runs.stop(one)).isInstanceOf(IOException.class);

    sending.join();
  }

  private TransferTable table() throws IOException {
    TransferJournal journal = TransferJournal.open(state);
    try {
      return new TransferTable(journal, () -> NOW, MOST);
    } catch (IOException e) {
      journal.close();
      throw e;
    }
  }

  private static TransferRequest request(String file) {
    return TransferRequest.builder().file(file).code("h:1/4f7k-q2mz").build();
  }
}
