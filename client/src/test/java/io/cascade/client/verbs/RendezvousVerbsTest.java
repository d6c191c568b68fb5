package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.client.ClientFailures;
import io.cascade.client.rendezvous.MeetingRelay;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.command.Verbs;
import io.cascade.relay.RelayNode;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Send and receive where a relay joins them, which they both dial. */
@Timeout(120)
class RendezvousVerbsTest {
  private static final String CODE_PATTERN =
      "127\\.0\\.0\\.1:\\d+/[0-9a-z]{10}-[0-9a-z]{4}-[0-9a-z]{4}";

  @TempDir private Path folder;

  private final Map<String, String> environment = new HashMap<>();

  @SuppressWarnings("NullAway.Init")
  private Path into;

  @BeforeEach
  void setUp() throws IOException {
    environment.put("XDG_CONFIG_HOME", folder.toString());
    into = Files.createDirectory(folder.resolve("in"));
  }

  @Test
  void aFileArrivesByTheCodeAlone() throws Exception {
    Path file = random(3 << 20);
    try (RelayNode relay = MeetingRelay.start(0)) {
      Running receiver = receive(MeetingRelay.at(relay));
      String code = receiver.code("");
      assertThat(code).matches(CODE_PATTERN);

      Run sent = run("send", file.toString(), code);

      assertThat(sent.exit).as(sent.err).isZero();
      assertThat(sent.err).contains("sending through relay " + MeetingRelay.at(relay));
      assertThat(sent.out).contains("through relay " + MeetingRelay.at(relay) + ": ");
      assertThat(receiver.exit.join()).as(receiver.err.toString()).isZero();
      assertThat(receiver.out.toString())
          .containsPattern("from 127\\.0\\.0\\.1:\\d+ through relay " + MeetingRelay.at(relay));
      assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void neitherEndListensOnAnyTcpPort() throws Exception {
    Path file = random(1 << 20);
    try (RelayNode relay = MeetingRelay.start(0)) {
      Set<String> before = listening();
      Running receiver = receive(MeetingRelay.at(relay), "--keep");
      String code = receiver.code("");
      assertThat(listening()).isEqualTo(before);
      try (SlowWire wire = SlowWire.to(MeetingRelay.at(relay), 4 << 20)) {
        before = listening();
        Running sender =
            start("send", file.toString(), code.replaceFirst("^[^/]+", wire.address().toString()));
        Awaitility.await().until(this::isArriving);
        assertThat(listening()).isEqualTo(before);
        assertThat(sender.exit.join()).as(sender.err.toString()).isZero();
      }
      assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
      receiver.stop();
    }
  }

  @Test
  void theReportNamesTheRelay() throws Exception {
    Path file = random(10_000);
    try (RelayNode relay = MeetingRelay.start(0)) {
      Running receiver = receive(MeetingRelay.at(relay));

      Run sent = run("send", file.toString(), receiver.code(""), "--json");

      var report = Json.strict().readTree(sent.out);
      assertThat(report.get("route").asString()).isEqualTo("RENDEZVOUS");
      assertThat(report.get("relays").get(0).asString())
          .isEqualTo(MeetingRelay.at(relay).toString());
    }
  }

  @Test
  void aWrongSecretVoidsTheCodeAndTheNextOneIsMetAtTheSamePlace() throws Exception {
    Path file = random(10_000);
    try (RelayNode relay = MeetingRelay.start(0)) {
      Running receiver = receive(MeetingRelay.at(relay));
      String code = receiver.code("");

      Run wrong = run("send", file.toString(), code.replaceFirst("-.*", "-0000-0000"));
      String another = receiver.code(code);
      Run sent = run("send", file.toString(), another);

      assertThat(wrong.exit).isEqualTo(1);
      assertThat(wrong.err).contains("wrong code");
      assertThat(receiver.err.toString()).contains("a wrong code was tried");
      assertThat(another.replaceFirst("-.*", "")).isEqualTo(code.replaceFirst("-.*", ""));
      assertThat(sent.exit).as(sent.err).isZero();
    }
  }

  @Test
  void aTransferGoesOnAfterTheRelayHasRestarted() throws Exception {
    Path file = random(6 << 20);
    RelayNode relay = MeetingRelay.start(0);
    HostPort at = MeetingRelay.at(relay);
    try (SlowWire wire = SlowWire.to(at, 2 << 20)) {
      Running receiver = receive(at);
      String code = receiver.code("").replaceFirst("^[^/]+", wire.address().toString());
      Running sender = start("send", file.toString(), code);
      Awaitility.await().until(this::isArriving);

      relay.close();
      relay = MeetingRelay.start(at.port());

      assertThat(sender.exit.join()).as(sender.err.toString()).isZero();
      assertThat(receiver.exit.join()).as(receiver.err.toString()).isZero();
      assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
      assertThat(receiver.err.toString().lines().filter(line -> line.contains("reconnecting")))
          .as("told once")
          .hasSize(1);
    } finally {
      relay.close();
    }
  }

  @Test
  void whereNobodyWaitsTheSenderIsToldWhatToDo() throws Exception {
    Path file = random(10_000);
    try (RelayNode relay = MeetingRelay.start(0)) {
      Run sent = run("send", file.toString(), MeetingRelay.at(relay) + "/m7q2x9d4kp-4f7k-q2mz");

      assertThat(sent.exit).isEqualTo(1);
      assertThat(sent.err.lines().filter(line -> !line.startsWith("sending"))).hasSize(1);
      assertThat(sent.err).contains("no end waits").contains("start the receiver first");
    }
  }

  @Test
  void aRelayThatJoinsNobodyIsNamedAtBothEnds() throws Exception {
    Path file = random(10_000);
    try (ReservedPort port = ReservedPort.take()) {
      String relay = "127.0.0.1:" + port.number();

      Run received = run("receive", "--through", relay, "--output", into.toString());
      Run sent = run("send", file.toString(), relay + "/m7q2x9d4kp-4f7k-q2mz");

      for (Run run : List.of(received, sent)) {
        assertThat(run.exit).isEqualTo(1);
        assertThat(run.err).contains(relay).contains("is the relay up, with --rendezvous");
      }
      assertThat(received.out).doesNotContain("send FILE");
    }
  }

  @Test
  void aKeyIsMetAtTheRelayThatBothName() throws Exception {
    Path file = random(10_000);
    Path key =
        Files.write(
            Files.createFile(
                folder.resolve("key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
            new byte[32]);
    try (RelayNode relay = MeetingRelay.start(0)) {
      String at = MeetingRelay.at(relay).toString();
      Running receiver = receive(MeetingRelay.at(relay), "--key-file", key.toString());
      receiver.awaitOut("receiving through");

      Run sent = run("send", file.toString(), "--through", at, "--key-file", key.toString());

      assertThat(sent.exit).as(sent.err).isZero();
      assertThat(receiver.exit.join()).isZero();
    }
  }

  @Test
  void theOrchestratorsRelayIsTakenWhereThatIsAskedFor() throws Exception {
    Path file = random(10_000);
    try (RelayNode relay = MeetingRelay.start(0);
        FakeOrchestrator orchestrator = new FakeOrchestrator()) {
      environment.put("CASCADE_ORCHESTRATOR", orchestrator.url());
      HostPort at = MeetingRelay.at(relay);
      orchestrator.rendezvous = new Endpoint(at.host(), at.port());
      Running receiver = start("receive", "--through", "auto", "--output", into.toString());

      Run sent = run("send", file.toString(), receiver.code(""));

      assertThat(sent.exit).as(sent.err).isZero();
      orchestrator.rendezvous = null;
      Run none = run("receive", "--through", "auto", "--output", into.toString());
      assertThat(none.exit).isEqualTo(1);
      assertThat(none.err).contains("./cascade relay --rendezvous");
    }
  }

  @Test
  void withAPortOfItsOwnTheReceiverIsReachedBothWays() throws Exception {
    Path file = random(10_000);
    try (RelayNode relay = MeetingRelay.start(0)) {
      Running receiver = receive(MeetingRelay.at(relay), "--keep", "--listen", "127.0.0.1:0");
      String met = receiver.code("");
      String direct = receiver.code(met);

      Run first = run("send", file.toString(), met, "--name", "met");
      Run second = run("send", file.toString(), direct, "--direct", "--name", "direct");

      assertThat(first.exit).as(first.err).isZero();
      assertThat(second.exit).as(second.err).isZero();
      assertThat(direct).doesNotContain(met.replaceFirst(".*/", ""));
      receiver.stop();
    }
  }

  @Test
  void whatLeadsAnotherWayIsRefused() throws Exception {
    Path file = random(10_000);
    String code = "127.0.0.1:9/m7q2x9d4kp-4f7k-q2mz";
    for (String option : List.of("--direct", "--cascade", "--via=r1", "--parallel=2")) {
      Run run = run("send", file.toString(), code, option);
      assertThat(run.exit).as(option).isEqualTo(2);
      assertThat(run.err).contains("a receiver that is met at a relay");
    }
    assertThat(run("receive", "--through", "127.0.0.1:9", "--open-to-anyone").exit).isEqualTo(2);
  }

  private boolean isArriving() throws IOException {
    try (Stream<Path> files = Files.list(into)) {
      return files.anyMatch(
          one -> one.toString().endsWith(".cascade-journal") && one.toFile().length() > 64);
    }
  }

  /** This process's TCP sockets that listen. */
  private static Set<String> listening() throws IOException {
    Set<String> own = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path one : descriptors.toList()) {
        try {
          own.add(Files.readSymbolicLink(one).toString());
        } catch (IOException e) {
          // It was closed meanwhile.
        }
      }
    }
    Set<String> found = new HashSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
        String[] fields = line.strip().split(" +", -1);
        if (fields[3].equals("0A") && own.contains("socket:[" + fields[9] + "]")) {
          found.add(table + " " + fields[1]);
        }
      }
    }
    return found;
  }

  private Running receive(HostPort relay, String... more) {
    return start(
        Stream.concat(
                Stream.of("receive", "--through", relay.toString(), "--output", into.toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private Running start(String... arguments) {
    Running running = new Running();
    running.thread =
        Thread.ofVirtual()
            .start(() -> running.exit.complete(line(running.out, running.err).execute(arguments)));
    return running;
  }

  private Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = line(out, err).execute(arguments);
    return new Run(exit, out.toString(), err.toString());
  }

  private CommandLine line(StringWriter out, StringWriter err) {
    CommandLine line = new CommandLine(new Root());
    List.of(new SendVerb(), new ReceiveVerb()).forEach(line::addSubcommand);
    return Verbs.prepare(line, environment, new ClientFailures())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }

  private Path random(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(folder.resolve("file"), content);
  }

  @Command(name = "cascade")
  static final class Root {}

  record Run(int exit, String out, String err) {}

  /** A verb at work. */
  private static final class Running {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread thread = Thread.currentThread();

    /** The code that is printed instead of one. */
    String code(String instead) {
      return Awaitility.await()
          .until(
              () ->
                  out.toString()
                      .lines()
                      .filter(line -> line.contains("send FILE "))
                      .map(line -> line.replaceFirst(".*send FILE ", ""))
                      .filter(code -> !code.equals(instead))
                      .findFirst()
                      .orElse(""),
              code -> !code.isEmpty());
    }

    void awaitOut(String text) {
      Awaitility.await().until(() -> out.toString().contains(text));
    }

    void stop() {
      thread.interrupt();
    }
  }
}
