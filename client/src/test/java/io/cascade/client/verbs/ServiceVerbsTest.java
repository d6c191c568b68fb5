package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.client.ClientFailures;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.command.Verbs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** {@code receive --service}, and what programs are told of transfers. */
@Timeout(60)
class ServiceVerbsTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path key;
  private Path file;

  @SuppressWarnings("NullAway.Init")
  ServiceVerbsTest() {}

  @BeforeEach
  void makeFiles() throws Exception {
    Files.createDirectories(folder.resolve("in"));
    file = Files.write(folder.resolve("file"), new byte[300_000]);
    key = Files.write(folder.resolve("key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aServiceNeedsAKeyAndSaysWhy() {
    assertThat(line(out, err).execute("receive", "--service")).isEqualTo(1);
    assertThat(err.toString()).contains("--service needs --key-file FILE").contains("fix: ");

    assertThat(line(out, err).execute("receive", "--service", "--open-to-anyone")).isEqualTo(1);
  }

  @Test
  void transfersAtATimeAreBounded() {
    assertThat(line(out, err).execute("receive", "--at-once", "0")).isEqualTo(1);
    assertThat(err.toString()).contains("--at-once 0 (expected: 1 to 16)");
  }

  @Test
  void aServiceGoesOnAndLogsEachTransfer() throws Exception {
    Thread service = receive("--service", "--key-file", key.toString());
    String address = awaitAddress(out);

    assertThat(send(address, "one")).isZero();
    assertThat(send(address, "two")).isZero();
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    assertThat(send(address, "two")).as("another one is there already").isEqualTo(1);

    await().until(() -> out.toString().contains("failed: "));
    assertThat(out.toString())
        .containsPattern(
            "arrived: \\S+/in/one, 292\\.97 KiB, sha256 [0-9a-f]{64}, from \\S+@\\S+ at 127\\.0\\.0\\.1\\S*, in .+")
        .containsPattern("failed: two: .*from \\S+@\\S+ at 127\\.0\\.0\\.1");
    assertThat(service.isAlive()).isTrue();
    service.interrupt();
    service.join();
  }

  @Test
  void aSenderThatIsRefusedIsLoggedInOneLine() throws Exception {
    Path right = Files.copy(key, key.resolveSibling("right"), StandardCopyOption.COPY_ATTRIBUTES);
    Thread service = receive("--service", "--key-file", right.toString());
    String address = awaitAddress(out);

    Files.write(key, new byte[33]);
    assertThat(send(address, "one")).isEqualTo(1);
    assertThat(
            line(new StringWriter(), new StringWriter())
                .execute("send", file.toString(), "--to", address, "--direct"))
        .isEqualTo(1);

    await()
        .until(() -> out.toString().lines().filter(line -> line.contains("refused")).count() == 2);
    assertThat(out.toString())
        .containsPattern("refused: a sender from 127\\.0\\.0\\.1:\\d+: wrong key; fix: use")
        .containsPattern(
            "refused: a sender from 127\\.0\\.0\\.1:\\d+: it accepts files only with its code");
    assertThat(service.isAlive()).isTrue();
    service.interrupt();
    service.join();
  }

  @Test
  void bothEndsTellProgramsWhatHappens() throws Exception {
    Thread receiver = receive("--json-events", "--key-file", key.toString());
    String address = awaitAddress(err);
    StringWriter sent = new StringWriter();
    int exit =
        line(sent, new StringWriter())
            .execute(
                "send",
                file.toString(),
                "--to",
                address,
                "--key-file",
                key.toString(),
                "--direct",
                "--json-events");
    receiver.join();

    assertThat(exit).isZero();
    List<JsonNode> sending = events(sent);
    List<JsonNode> receiving = events(out);
    assertThat(sending.getFirst().propertyNames())
        .containsExactly("event", "at", "transfer", "name", "size");
    assertThat(receiving.getFirst().propertyNames())
        .containsExactly("event", "at", "transfer", "name", "size", "from", "sender");
    assertThat(of(sending, "way-joined").propertyNames())
        .containsExactly("event", "at", "transfer", "way");
    assertThat(sending.getLast().propertyNames())
        .containsExactly("event", "at", "transfer", "bytes", "sha256", "seconds");
    assertThat(receiving.getLast().propertyNames())
        .containsExactly(
            "event", "at", "transfer", "bytes", "sha256", "seconds", "file", "from", "sender");
    assertThat(receiving.getLast().get("event").asString()).isEqualTo("arrived");
    assertThat(receiving.getLast().get("transfer")).isEqualTo(sending.getLast().get("transfer"));
  }

  @Test
  void whoSendsIsToldItsPlaceInTheQueueAndHowFarItIs() throws Exception {
    Thread receiver = receive("--keep", "--at-once", "1", "--key-file", key.toString());
    String address = awaitAddress(out);
    try (SlowWire slow = SlowWire.to(HostPort.parse(address), 100_000)) {
      StringWriter first = new StringWriter();
      Thread sender =
          Thread.ofVirtual().start(() -> sendWithEvents(slow.address().toString(), "1", first));
      await().until(() -> first.toString().contains("\"progress\""));
      StringWriter second = new StringWriter();

      assertThat(sendWithEvents(address, "2", second)).isZero();

      sender.join();
      assertThat(of(events(second), "waiting").propertyNames())
          .containsExactly("event", "at", "transfer", "place");
      assertThat(of(events(second), "waiting").get("place").asInt()).isEqualTo(1);
      JsonNode progress = of(events(first).reversed(), "progress");
      assertThat(progress.propertyNames())
          .containsExactly("event", "at", "transfer", "bytes", "size", "bitsPerSecond", "slow");
      assertThat(progress.get("slow").asString()).isEqualTo("path");
    }
    receiver.interrupt();
    receiver.join();
  }

  private int sendWithEvents(String address, String name, StringWriter events) {
    return line(events, new StringWriter())
        .execute(
            "send",
            file.toString(),
            "--to",
            address,
            "--key-file",
            key.toString(),
            "--direct",
            "--name",
            name,
            "--json-events");
  }

  @Test
  void aFailureIsAnEventToo() throws Exception {
    Files.write(folder.resolve("in/file"), new byte[1]);
    Thread receiver = receive("--json-events", "--key-file", key.toString());
    String address = awaitAddress(err);
    StringWriter sent = new StringWriter();
    int exit =
        line(sent, new StringWriter())
            .execute(
                "send",
                file.toString(),
                "--to",
                address,
                "--key-file",
                key.toString(),
                "--direct",
                "--json-events");
    receiver.join();

    assertThat(exit).isEqualTo(1);
    JsonNode last = events(sent).getLast();
    assertThat(last.propertyNames()).containsExactly("event", "at", "transfer", "reason");
    assertThat(last.get("event").asString()).isEqualTo("failed");
    assertThat(events(out).getLast().propertyNames())
        .containsExactly("event", "at", "transfer", "reason", "from", "sender");
  }

  private static JsonNode of(List<JsonNode> events, String name) {
    return events.stream()
        .filter(one -> one.get("event").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> events(StringWriter lines) {
    return lines.toString().lines().map(line -> Json.strict().readTree(line)).toList();
  }

  private int send(String address, String name) {
    return line(new StringWriter(), new StringWriter())
        .execute(
            "send",
            file.toString(),
            "--to",
            address,
            "--key-file",
            key.toString(),
            "--direct",
            "--name",
            name);
  }

  private Thread receive(String... more) {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "receive", "--listen", "127.0.0.1:0", "--output", folder.resolve("in").toString()));
    arguments.addAll(List.of(more));
    return Thread.ofVirtual()
        .start(() -> {
          int _ = line(out, err).execute(arguments.toArray(String[]::new));
        });
  }

  private static String awaitAddress(StringWriter from) {
    await().until(() -> from.toString().contains("receiving on "));
    return from.toString()
        .lines()
        .filter(line -> line.startsWith("receiving on "))
        .findFirst()
        .orElseThrow()
        .substring("receiving on ".length())
        .strip();
  }

  private static CommandLine line(StringWriter out, StringWriter err) {
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand(new SendVerb());
    line.addSubcommand(new ReceiveVerb());
    return Verbs.prepare(line, Map.of(), new ClientFailures())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }

  @Command(name = "cascade")
  static final class Root {}
}
