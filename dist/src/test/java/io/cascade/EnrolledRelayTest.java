package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three machines, as processes with a home each: all that travels between them is pasted lines. */
@Tag("slow")
class EnrolledRelayTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TOKEN = "a-secret-of-some-length";

  @TempDir private Path homes;
  private final List<Process> running = new ArrayList<>();
  private String ready = "";

  /** Processes that stay, in the order of their start. */
  private final List<Process> parts = new ArrayList<>();

  @BeforeEach
  void startTheOrchestrator() throws IOException {
    ready =
        start(
            "control",
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--tls",
            "on",
            "--heartbeat",
            "0.2");
  }

  @AfterEach
  void stopWhatRuns() {
    running.forEach(Process::destroyForcibly);
  }

  @Test
  void arePutTogetherByPastedLinesAndStayTogetherWhileKeysChange() throws IOException {
    assertThat(ready).contains("https://127.0.0.1:").contains("#sha256-");
    String invitation = invite("--name", "fra", "--site", "frankfurt");
    assertThat(invitation).contains("relay").contains("--join");

    String[] line = pasted(invitation);
    start("relay", line);
    awaitRelay("fra", "UP");
    assertThat(run("control", "relays").out()).contains("frankfurt");

    String alice = invite("--name", "alice", "--role", "client");
    assertThat(run("client", pasted(alice)).exit()).isZero();
    assertThat(run("client", "relays").out()).contains("fra");

    // Neither line is good for another machine.
    Run again = run("elsewhere", pasted(alice));
    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err()).contains("cascade invite");
    assertThat(run("elsewhere", line).err()).contains("cascade invite");

    // The key changes twice, which everybody sees who calls meanwhile.
    for (int i = 0; i < 2; i++) {
      String before = run("control", "relays", "--json").out();
      assertThat(run("control", "certificate", "--rotate").exit()).isZero();
      assertThat(run("client", "relays").exit()).isZero();
      awaitLaterReport(before);
    }
    awaitRelay("fra", "UP");

    // The relay's next start needs its name and nothing else.
    parts.get(1).destroyForcibly();
    start("relay", "relay", "--name", "fra", "--hop-port", "0", "--control-port", "0");
    awaitRelay("fra", "UP");

    String wrong = ready.replaceFirst("#sha256-.*", "#sha256-" + "A".repeat(43));
    Run refused = run("elsewhere", "relays", "--orchestrator", wrong);
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains("cascade certificate").hasLineCount(1);
  }

  @Test
  void aNameThatIsRevokedIsLetInNoMore() throws IOException {
    start("relay", pasted(invite("--name", "fra")));
    awaitRelay("fra", "UP");

    Run revoked = run("control", "revoke", "fra");

    assertThat(revoked.err()).contains("1 API keys", "drained");
    awaitRelay("fra", "LOST");
    assertThat(parts.get(1).isAlive()).isTrue();
    assertThat(run("elsewhere", "revoke", "fra").exit()).isEqualTo(1);
  }

  private void awaitRelay(String name, String status) {
    await()
        .atMost(SOON)
        .until(() ->
            run("control", "relays")
                .out()
                .lines()
                .anyMatch(row -> row.contains(name) && row.contains(status)));
  }

  /** A relay that has reported since has been told of the key that comes next. */
  private void awaitLaterReport(String before) {
    await()
        .atMost(SOON)
        .until(() -> !lastSeen(run("control", "relays", "--json").out()).equals(lastSeen(before)));
  }

  private static String lastSeen(String json) {
    return json.lines().filter(line -> line.contains("lastSeenAt")).findFirst().orElse("");
  }

  private String invite(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("invite"));
    arguments.addAll(List.of(options));
    Run run = run("control", arguments.toArray(String[]::new));
    assertThat(run.err()).as(run.out()).contains("for one machine");
    assertThat(run.out()).hasLineCount(1);
    return run.out().strip();
  }

  /** The arguments of a line that begins with the launcher; a relay gets ports that are free. */
  private static String[] pasted(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    assertThat(words.removeFirst()).isEqualTo("./cascade");
    if (words.getFirst().equals("relay")) {
      words.addAll(List.of("--hop-port", "0", "--control-port", "0"));
    }
    return words.toArray(String[]::new);
  }

  private record Run(int exit, String out, String err) {}

  private Run run(String home, String... arguments) throws IOException {
    Path err = Files.createTempFile(homes, "err", "");
    Process process = command(home, arguments).redirectError(err.toFile()).start();
    running.add(process);
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return new Run(process.exitValue(), out, Files.readString(err));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      running.remove(process);
    }
  }

  /** Returns the line in which it says that it is ready. */
  private String start(String home, String... arguments) throws IOException {
    Process process = command(home, arguments).redirectErrorStream(true).start();
    running.add(process);
    parts.add(process);
    BufferedReader output = process.inputReader();
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith("cascade ") && line.contains(" ready")) {
        Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
        return line.substring(line.lastIndexOf(' ') + 1);
      }
    }
    throw new AssertionError(String.join(" ", arguments) + " ended:\n" + said);
  }

  private ProcessBuilder command(String home, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:MaxDirectMemorySize=1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Cascade.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("XDG_STATE_HOME", homes.resolve(home).toString());
    builder.environment().put("CASCADE_CONFIG", "/dev/null");
    if (home.equals("control")) {
      builder.environment().put("CASCADE_TOKEN", TOKEN);
    } else {
      builder.environment().remove("CASCADE_TOKEN");
    }
    return builder;
  }
}
