package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.client.ClientFailures;
import io.cascade.client.transfer.FileReceiver;
import io.cascade.client.transfer.Outcome;
import io.cascade.client.transfer.OutputTarget;
import io.cascade.client.transfer.ReceivingPort;
import io.cascade.client.transfer.TransferListener;
import io.cascade.command.Verbs;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code send --retry-for} to a receiver that is not there yet. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class PersistentSendTest {
  @TempDir private Path folder;

  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter err = new StringWriter();
  private Path into;
  private Path file;

  @BeforeEach
  void makeFile() throws IOException {
    environment.put("XDG_CONFIG_HOME", folder.toString());
    environment.put("CASCADE_ORCHESTRATOR", "http://127.0.0.1:" + ReservedPort.untilTheEnd());
    into = Files.createDirectory(folder.resolve("in"));
    file = Files.write(folder.resolve("file"), new byte[300_000]);
  }

  @Test
  void directlyItArrivesOnceTheReceiverListens() throws Exception {
    arrivesOnceTheReceiverListens("--direct");
  }

  @Test
  void andAlsoWhereNoOrchestratorAnswers() throws Exception {
    arrivesOnceTheReceiverListens();
  }

  @Test
  void throughNamedRelaysItArrivesOnceTheyReachTheReceiver() throws Exception {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator();
        ReservedPort reserved = ReservedPort.take()) {
      environment.put("CASCADE_ORCHESTRATOR", orchestrator.url());
      orchestrator.refusal = "files.example:9000: Connection refused";
      orchestrator.forwardTo = new HostPort("127.0.0.1", reserved.number());
      CompletableFuture<Integer> exit = send(reserved.number(), "--via", "r1,r2");
      awaitTold("via r1, r2 nothing comes through", exit);
      orchestrator.refusal = null;

      assertArrives(reserved.number(), exit);
    }
  }

  @Test
  void withoutItARefusedConnectionEndsTheTransfer() {
    int port = ReservedPort.untilTheEnd();

    int exit = line("send", file.toString(), "--to", "127.0.0.1:" + port, "--direct");

    assertThat(exit).isEqualTo(1);
    assertThat(err.toString())
        .contains("cannot connect to 127.0.0.1:" + port)
        .doesNotContain("again");
  }

  private void arrivesOnceTheReceiverListens(String... options) throws Exception {
    try (ReservedPort reserved = ReservedPort.take()) {
      CompletableFuture<Integer> exit = send(reserved.number(), options);
      awaitTold("connection refused; trying again", exit);

      assertArrives(reserved.number(), exit);
    }
  }

  private void awaitTold(String words, CompletableFuture<Integer> exit) {
    await().until(() -> exit.isDone() || err.toString().contains(words));
    assertThat(exit).as(err.toString()).isNotDone();
  }

  private void assertArrives(int port, CompletableFuture<Integer> exit) throws Exception {
    try (ReceivingPort receiver =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", port),
            Long.MAX_VALUE,
            new FileReceiver(
                new OutputTarget(into, false, false),
                Duration.ofSeconds(20),
                TransferListener.SILENT))) {
      assertThat(receiver.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(exit.join()).as(err.toString()).isZero();
      assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
    }
  }

  private CompletableFuture<Integer> send(int port, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of("send", file.toString(), "--to", "127.0.0.1:" + port, "--retry-for", "1d"));
    arguments.addAll(List.of(options));
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> exit.complete(line(arguments.toArray(String[]::new))));
    return exit;
  }

  private int line(String... arguments) {
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand(new SendVerb());
    return Verbs.prepare(line, environment, ClientFailures::explain)
        .setOut(new PrintWriter(new StringWriter(), true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Command(name = "cascade")
  static final class Root {}
}
