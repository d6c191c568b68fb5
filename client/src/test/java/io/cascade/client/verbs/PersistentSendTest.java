package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.client.ClientFailures;
import io.cascade.client.entries.Trees;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.command.Verbs;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
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
      awaitTold("via r1, r2 no data arrives", exit);
      orchestrator.refusal = null;

      assertArrives(reserved.number(), exit);
    }
  }

  @Test
  void aFolderArrivesOnceTheReceiverListens() throws Exception {
    try (ReservedPort reserved = ReservedPort.take()) {
      CompletableFuture<Integer> exit = send(tree(3), reserved.number(), "--direct");
      awaitTold("connection refused; trying again", exit);

      try (ReceivingPort receiver = receiver(into, reserved.number())) {
        assertTreeArrives(receiver, exit);
      }
    }
  }

  /** Each connection carries less than half of it. */
  @Test
  void aFolderGoesOnOverOneConnectionAfterTheOther() throws Exception {
    try (ReceivingPort receiver = receiver(into, 0);
        SlowWire wire = SlowWire.open(receiver.address(), 100_000_000, 5_000_000)) {
      CompletableFuture<Integer> exit = send(tree(12), wire.address().port(), "--direct");

      assertTreeArrives(receiver, exit);
      assertThat(err.toString()).contains("trying again");
    }
  }

  @Test
  void aFolderGoesOnToAReceiverThatWasKilledAndBegunAnew() throws Exception {
    Path before = Files.createDirectory(folder.resolve("before"));
    try (ReservedPort reserved = ReservedPort.take()) {
      goesOnToAReceiverThatWasBegunAnew(before, reserved.number());
    }
  }

  private void goesOnToAReceiverThatWasBegunAnew(Path before, int port) throws Exception {
    CompletableFuture<Integer> exit;
    try (ReceivingPort _ = receiver(before, port)) {
      exit = send(tree(12), port, "--direct", "--limit", "80Mbit");
      await().until(() -> Files.exists(before.resolve("tree/file-5")));
    }
    Path kept = Files.createDirectory(into.resolve("tree"));
    for (int i = 0; i < 5; i++) {
      Path file = before.resolve("tree/file-" + i);
      Files.copy(file, kept.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }

    // The listening socket may be closed a little later.
    try (ReceivingPort receiver =
        await()
            .ignoreExceptionsInstanceOf(BindException.class)
            .until(() -> receiver(into, port), Objects::nonNull)) {
      assertThat(assertTreeArrives(receiver, exit).bytes()).isLessThan(8_000_000);
    }
  }

  @Test
  void aFolderThatIsRefusedIsNotTriedAgain() throws Exception {
    Files.writeString(Files.createDirectory(into.resolve("tree")).resolve("file-1"), "other");
    try (ReceivingPort receiver = receiver(into, 0)) {
      CompletableFuture<Integer> exit = send(tree(2), receiver.address().port(), "--direct");

      assertThat(exit.join()).isEqualTo(1);
      assertThat(err.toString()).contains("exists already").doesNotContain("trying again");
    }
  }

  @Test
  void withoutItARefusedConnectionEndsTheTransfer() {
    int port = ReservedPort.untilTheEnd();

    int exit = line("send", file.toString(), "--to", "127.0.0.1:" + port, "--direct");

    assertThat(exit).isEqualTo(Verbs.TRY_AGAIN);
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

  /** A tree of so many files of 1 MB. */
  private Path tree(int files) throws IOException {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    for (int i = 0; i < files; i++) {
      byte[] content = new byte[1_000_000];
      new Random(i).nextBytes(content);
      Files.write(tree.resolve("file-" + (char) ('0' + i)), content);
    }
    return tree;
  }

  private Received assertTreeArrives(ReceivingPort receiver, CompletableFuture<Integer> exit)
      throws Exception {
    Outcome.Ended outcome = receiver.next();
    assertThat(outcome).as(err.toString()).isInstanceOf(Outcome.Arrived.class);
    assertThat(exit.join()).as(err.toString()).isZero();
    Map<String, String> sent = Trees.look(folder.resolve("tree"));
    Map<String, String> there = Trees.look(into.resolve("tree"));
    assertThat(there).isEqualTo(sent);
    return ((Outcome.Arrived) outcome).received();
  }

  /** One that takes one transfer, as {@code receive} does. */
  private static ReceivingPort receiver(Path into, int port) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", port),
        1,
        new FileReceiver(
            new OutputTarget(into, false, false), Duration.ofSeconds(20), TransferListener.SILENT));
  }

  private void assertArrives(int port, CompletableFuture<Integer> exit) throws Exception {
    try (ReceivingPort receiver = receiver(into, port)) {
      assertThat(receiver.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(exit.join()).as(err.toString()).isZero();
      assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
    }
  }

  private CompletableFuture<Integer> send(int port, String... options) {
    return send(file, port, options);
  }

  private CompletableFuture<Integer> send(Path what, int port, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of("send", what.toString(), "--to", "127.0.0.1:" + port, "--retry-for", "1d"));
    arguments.addAll(List.of(options));
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> exit.complete(line(arguments.toArray(String[]::new))));
    return exit;
  }

  private int line(String... arguments) {
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand(new SendVerb());
    return Verbs.prepare(line, environment, new ClientFailures())
        .setOut(new PrintWriter(new StringWriter(), true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Command(name = "cascade")
  static final class Root {}
}
