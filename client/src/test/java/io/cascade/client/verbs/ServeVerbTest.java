package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.client.ClientFailures;
import io.cascade.client.api.Receiver;
import io.cascade.command.Verbs;
import io.cascade.testing.ReservedPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code serve}, and the example of its document. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServeVerbTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theExampleOfTheDocumentSendsAFile() throws Exception {
    assumeTrue(isThere("curl"), "no curl");
    Path outgoing = Files.createDirectory(folder.resolve("outgoing"));
    Path in = Files.createDirectory(folder.resolve("in"));
    Path file = Files.write(outgoing.resolve("backup.tar"), new byte[100_000]);
    Path state = folder.resolve("state/cascade/serve");
    Thread service =
        Thread.ofVirtual()
            .start(() -> {
              int _ =
                  line()
                      .execute(
                          "serve",
                          outgoing.toString(),
                          "--listen",
                          "0",
                          "--state",
                          state.toString(),
                          "--orchestrator",
                          "http://127.0.0.1:" + ReservedPort.untilTheEnd());
            });
    try (Receiver receiver =
        Receiver.into(in).listeningAt(new InetSocketAddress("127.0.0.1", 0)).openWithCode()) {
      await().until(() -> out.toString().contains("token in " + state.resolve("token")));
      String address = out.toString().replaceFirst("(?s)serving on http://([^/]*)/.*", "$1");

      String said =
          shell(
              example()
                  .replace("127.0.0.1:7421", address)
                  .replace("/srv/outgoing/backup.tar", file.toString())
                  .replace("203.0.113.7:7420/4f7k-q2mz", receiver.code().orElseThrow()));

      assertThat(said.lines()).hasSize(2);
      assertThat(said).contains("\"state\":\"ARRIVED\"").contains("{\"transfers\":[{\"id\":");
      assertThat(receiver.next().file()).hasSameBinaryContentAs(file);
      await().until(() -> out.toString().contains("sent: "));
      assertThat(out.toString())
          .containsPattern(
              "sent: \\S+/backup\\.tar to 127\\.0\\.0\\.1:\\d+, 97\\.66 KiB, sha256 [0-9a-f]{64}, in .+");
    } finally {
      service.interrupt();
      service.join();
    }
  }

  @Test
  void whatItCannotServeIsSaid() {
    assertThat(
            line()
                .execute("serve", folder.resolve("none").toString(), "--state", folder + "/state"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("none: not a folder");

    assertThat(line().execute("serve", folder.toString(), "--at-once", "65")).isEqualTo(1);
    assertThat(err.toString()).contains("--at-once 65 (expected: 1 to 64)");
  }

  /** The first block of shell in the document. */
  private static String example() throws Exception {
    String text = Files.readString(Path.of("..", "docs", "reference", "serve.md"));
    int from = text.indexOf("```sh\n") + 6;
    return text.substring(from, text.indexOf("```", from));
  }

  private String shell(String script) throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-ec", script).redirectError(ProcessBuilder.Redirect.INHERIT);
    shell.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    Process process = shell.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static boolean isThere(String program) throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
  }

  private CommandLine line() {
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand(new ServeVerb());
    return Verbs.prepare(line, Map.of(), new ClientFailures())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }

  @Command(name = "cascade")
  static final class Root {}
}
