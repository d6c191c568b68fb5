package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.client.ClientFailures;
import io.cascade.client.entries.Trees;
import io.cascade.client.sealed.Code;
import io.cascade.client.sealed.SealedAccess;
import io.cascade.client.sealed.Secret;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.command.Verbs;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Folders and several files from {@code send} to {@code receive}, over loopback with a code. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class SentFoldersTest {
  private static final String[] DIRECTLY = {"--direct"};
  private static final Pattern CODE = Pattern.compile("send FILE (\\S+)");

  @TempDir Path folder;

  private Path source;
  private Path into;

  @BeforeEach
  void makeFolders() throws IOException {
    source = Files.createDirectory(folder.resolve("photos"));
    into = Files.createDirectory(folder.resolve("into"));
  }

  @Test
  void aTreeArrivesAsItIs() throws Exception {
    Files.createDirectory(source.resolve("empty"));
    Files.createFile(source.resolve("nothing"));
    Path deep = Files.createDirectories(source.resolve("été/日本語"));
    Files.writeString(deep.resolve("😀.txt"), "content");
    Files.createSymbolicLink(source.resolve("link"), Path.of("été/日本語"));
    Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("r-xr-x---"));
    Path script = Files.writeString(source.resolve("script"), "#!/bin/sh");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));
    Files.setLastModifiedTime(script, FileTime.from(Instant.ofEpochSecond(1, 234_567_891)));
    Path random = Files.createDirectory(source.resolve("random"));
    Trees.fill(random, new Random(7), 4);
    Files.write(source.resolve("large"), bytes(50_000_000));
    Map<String, String> sent = Trees.look(source);

    Transfer both = receive(List.of(), source + "/");

    assertThat(Trees.look(into.resolve("photos"))).isEqualTo(sent);
    assertThat(into).isDirectoryContaining("glob:**/photos");
    assertThat(both.received.exit).isZero();
    assertThat(both.sent.exit).isZero();
    assertThat(both.received.out)
        .containsPattern("photos: \\d+ files, \\d+ folders, \\d+ links, \\d+.* verified, from");
    assertThat(both.sent.out).contains("verified by the receiver").contains("sha256 ");
  }

  @Test
  void filesAndFoldersArriveTogether() throws Exception {
    Files.writeString(source.resolve("a"), "in the folder");
    Path one = Files.writeString(folder.resolve("one.txt"), "one");
    Path two = Files.writeString(folder.resolve("two.txt"), "two");

    Transfer both = receive(List.of("--json"), two.toString(), source.toString(), one.toString());

    assertThat(both.received.exit).isZero();
    assertThat(into.resolve("photos/a")).hasContent("in the folder");
    assertThat(into.resolve("one.txt")).hasContent("one");
    assertThat(into.resolve("two.txt")).hasContent("two");
    JsonNode entries = Json.strict().readTree(both.received.out).get("entries");
    assertThat(entries.get("name").asString()).isEqualTo("two.txt and 2 more");
    assertThat(entries.get("files").asLong()).isEqualTo(3);
    assertThat(entries.get("folders").asLong()).isEqualTo(1);
    assertThat(entries.get("bytes").asLong()).isEqualTo(19);
  }

  @Test
  void anOrchestratorIsNotNeeded() throws Exception {
    Files.writeString(source.resolve("a"), "a");

    Transfer both =
        receive(
            List.of(), new String[] {"--orchestrator", "http://127.0.0.1:1"}, source.toString());

    assertThat(both.sent.exit).as(both.sent.err).isZero();
    assertThat(into.resolve("photos/a")).hasContent("a");
  }

  @Test
  void aPointIsWhatIsInTheFolder() throws Exception {
    Files.writeString(source.resolve("a"), "a");
    Files.createDirectories(source.resolve("b/c"));
    Files.writeString(source.resolve("x.tmp"), "left out");

    Transfer both = receive(List.of(), source + "/.", "--exclude", "*.tmp");

    assertThat(both.received.exit).isZero();
    assertThat(Trees.look(into)).containsOnlyKeys("a", "b", "b/c");
  }

  @Test
  void whatExistsIsRefusedByNameAtBothEndsAndTheRestStands() throws Exception {
    Files.writeString(source.resolve("a"), "new a");
    Files.writeString(source.resolve("b"), "new b");
    Files.writeString(source.resolve("c"), "new c");
    Files.createDirectory(into.resolve("photos"));
    Files.writeString(into.resolve("photos/b"), "old b");

    Transfer both = receive(List.of(), source.toString());

    String named = "1 of the entries were not taken: photos/b: exists already";
    assertThat(both.received.exit).isEqualTo(1);
    assertThat(both.received.err).contains(named).contains("2 files, 1 folders and 0 links are in");
    assertThat(both.sent.exit).isEqualTo(1);
    assertThat(both.sent.err).contains("the receiver refused").contains(named);
    assertThat(into.resolve("photos/a")).hasContent("new a");
    assertThat(into.resolve("photos/b")).hasContent("old b");
    assertThat(into.resolve("photos/c")).hasContent("new c");
  }

  @Test
  void whatExistsGivesWayWhereTheReceiverSaysSo() throws Exception {
    Files.writeString(source.resolve("b"), "new b");
    Files.createDirectory(into.resolve("photos"));
    Files.writeString(into.resolve("photos/b"), "old b");
    Files.writeString(into.resolve("photos/mine"), "mine");

    Transfer both = receive(List.of("--overwrite"), source.toString());

    assertThat(both.received.exit).isZero();
    assertThat(into.resolve("photos/b")).hasContent("new b");
    assertThat(into.resolve("photos/mine")).hasContent("mine");
  }

  @Test
  void whatCannotBeReadIsNamedBySend() throws Exception {
    Files.writeString(source.resolve("a"), "a");
    // Java has no such name in every locale; a shell has.
    Process touch =
        new ProcessBuilder("sh", "-c", "cd \"$0\" && : > \"$(printf 'b\\351')\"", source.toString())
            .start();
    assertThat(touch.waitFor()).isZero();

    Transfer both = receive(List.of(), source.toString());

    assertThat(both.received.exit).isZero();
    assertThat(both.sent.exit).isEqualTo(1);
    assertThat(both.sent.err)
        .contains("1 could not be sent as they are:")
        .contains("its name is not UTF-8; fix: rename it");
    assertThat(into.resolve("photos/a")).hasContent("a");
  }

  @Test
  void anOutputThatIsAFileIsRefusedWithTheFix() throws Exception {
    Files.writeString(source.resolve("a"), "a");
    Path file = Files.writeString(folder.resolve("file"), "mine");

    Transfer both = receiveTo(file, List.of(), DIRECTLY, source.toString());

    assertThat(both.sent.exit).isEqualTo(1);
    assertThat(both.sent.err).contains("is no folder; fix: start it with --output DIR");
    assertThat(file).hasContent("mine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "photos --name x | --name with a folder or several files",
        "a.txt b.txt --name x | --name with a folder or several files",
        "a.txt --exclude x | --exclude with one file",
      })
  void optionsOfAFileAreRefused(String line, String said) throws Exception {
    Files.writeString(folder.resolve("a.txt"), "a");
    Files.writeString(folder.resolve("b.txt"), "b");
    List<String> arguments = new ArrayList<>(List.of("send"));
    for (String word : line.split(" ", -1)) {
      Path file = folder.resolve(word);
      arguments.add(Files.exists(file) ? file.toString() : word);
    }
    arguments.addAll(List.of("--to", "127.0.0.1:9", "--direct"));

    Run run = run(new StringWriter(), arguments);

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.err).contains(said);
  }

  @Test
  void aReceiverWhoseSenderWasKilledHasTheSameCodeWhenItIsStartedAgain() throws Exception {
    Files.writeString(source.resolve("a"), "a");
    // Between the two receivers nobody else is given the port.
    Receiving first = receiving("127.0.0.1:" + ReservedPort.untilTheEnd());
    Code code = Code.parse(first.code());
    Pipe content = Pipe.open();
    try (FileTransfer killed =
        FileTransfer.ofStream(
            Original.headerOfEntries(List.of(source)),
            content.source(),
            Duration.ofSeconds(30),
            TransferListener.SILENT)) {
      killed.over(
          new SealedAccess(Secret.of(code))
              .over(TcpConnection.of(Connections.connect(code.at(), Duration.ofSeconds(30)))));
      await().until(() -> Files.exists(into.resolve(".cascade-entries")));
    } finally {
      content.sink().close();
    }
    assertThat(first.run.join().exit).isEqualTo(1);

    Receiving again = receiving(code.at().toString());
    try {
      assertThat(again.code()).isEqualTo(code.toString());
    } finally {
      again.thread.interrupt();
      again.run.join();
    }
  }

  @Test
  void aReceiverThatIsOpenToAnyoneSaysWhatThatMeans() throws Exception {
    StringWriter err = new StringWriter();
    List<String> receive =
        List.of(
            "receive", "--open-to-anyone", "--listen", "127.0.0.1:0", "--output", into.toString());
    Thread thread = Thread.ofVirtual().start(() -> run(new StringWriter(), err, receive));

    await()
        .until(() ->
            err.toString().contains("open to anyone: every host that reaches the port may send"));

    thread.interrupt();
    thread.join();
  }

  /** A receiver that runs. */
  private record Receiving(Thread thread, StringWriter out, CompletableFuture<Run> run) {
    String code() {
      return awaitCode(out, run);
    }
  }

  private Receiving receiving(String listen) {
    StringWriter out = new StringWriter();
    CompletableFuture<Run> run = new CompletableFuture<>();
    List<String> receive = List.of("receive", "--listen", listen, "--output", into.toString());
    return new Receiving(Thread.ofVirtual().start(() -> run.complete(run(out, receive))), out, run);
  }

  /** What a receiver says and leaves, for what is sent to it. */
  private Transfer receive(List<String> options, String... sent) throws Exception {
    return receive(options, DIRECTLY, sent);
  }

  private Transfer receive(List<String> options, String[] way, String... sent) throws Exception {
    return receiveTo(into, options, way, sent);
  }

  private Transfer receiveTo(Path output, List<String> options, String[] way, String... sent)
      throws Exception {
    StringWriter out = new StringWriter();
    StringWriter told = new StringWriter();
    List<String> receive =
        new ArrayList<>(
            List.of("receive", "--listen", "127.0.0.1:0", "--output", output.toString()));
    receive.addAll(options);
    CompletableFuture<Run> receiver = new CompletableFuture<>();
    Thread thread = Thread.ofVirtual().start(() -> receiver.complete(run(out, told, receive)));
    List<String> send = new ArrayList<>(List.of("send"));
    send.addAll(List.of(sent));
    send.add(awaitCode(options.contains("--json") ? told : out, receiver));
    send.addAll(List.of(way));
    Run sender = run(new StringWriter(), send);
    if (Files.isDirectory(output)) {
      thread.join();
    } else {
      thread.interrupt(); // It waits for another sender.
    }
    Run received = receiver.join();
    return new Transfer(received, sender);
  }

  /** The code that a receiver prints; one that has ended prints none any more. */
  private static String awaitCode(StringWriter out, CompletableFuture<Run> receiver) {
    await().until(() -> receiver.isDone() || CODE.matcher(out.toString()).find());
    Matcher code = CODE.matcher(out.toString());
    if (!code.find()) {
      throw new AssertionError("it ended without a code: " + receiver.join().err);
    }
    return code.group(1);
  }

  private static Run run(StringWriter out, List<String> arguments) {
    return run(out, new StringWriter(), arguments);
  }

  private static Run run(StringWriter out, StringWriter err, List<String> arguments) {
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand(new SendVerb());
    line.addSubcommand(new ReceiveVerb());
    int exit =
        Verbs.prepare(line, Map.of(), new ClientFailures())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    return new Run(exit, out.toString(), err.toString());
  }

  private static byte[] bytes(int count) {
    byte[] content = new byte[count];
    new Random(1).nextBytes(content);
    return content;
  }

  @Command(name = "cascade")
  static final class Root {}

  record Run(int exit, String out, String err) {}

  /** Both ends of a transfer. */
  record Transfer(Run received, Run sent) {}
}
