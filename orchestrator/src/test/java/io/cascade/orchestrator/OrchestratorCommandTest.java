package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.command.Verbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@NullUnmarked
@Tag("slow")
class OrchestratorCommandTest {

  /** What a process runs; the tests' class path has no launcher. */
  static final class Main {
    private Main() {}

    static void main(String[] arguments) {
      System.exit(line(System.getenv()).execute(arguments));
    }
  }

  private static CommandLine line(Map<String, String> environment) {
    return Verbs.prepare(
        new CommandLine(new OrchestratorCommand()), environment, failure -> failure.getMessage());
  }

  @Test
  void aProcessSaysWhereItServesAndEndsOnSigterm(@TempDir Path state) throws Exception {
    Process process = process("--listen", "127.0.0.1:0", "--state-dir", state.toString());
    try (BufferedReader out = process.inputReader()) {
      String ready = out.readLine();
      assertThat(ready).matches("cascade orchestrator ready at http://127\\.0\\.0\\.1:[0-9]+");
      URI address = URI.create(ready.substring(ready.lastIndexOf(' ') + 1));
      assertThat(out.readLine()).isEqualTo("dashboard at " + address + "/ui/");
      assertThat(new OrchestratorClient(address, null).relays().relays()).isEmpty();

      process.toHandle().destroy();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(out.readLine()).isNull();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aTakenPortIsNamedInOneLineAndNothingElseIsSaid(@TempDir Path state) throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + other.getLocalPort();
      Process process = process("--listen", listen, "--state-dir", state.toString());
      String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
      assertThat(said)
          .isEqualTo(
              "orchestrator: "
                  + listen
                  + ": the port is in use; fix: give another with --listen, or stop the process"
                  + " that"
                  + " uses it\n");
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamedInOneLine(@TempDir Path state) {
    Run run = run("--listen", "192.0.2.7:0", "--token", "secret", "--state-dir", state.toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("192.0.2.7:0: this machine has no such address").hasLineCount(1);
  }

  @Test
  void stateThatAnotherOrchestratorUsesIsNamedInOneLine(@TempDir Path state) throws Exception {
    Process process = process("--listen", "127.0.0.1:0", "--state-dir", state.toString());
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).contains("ready");
      Run run = run("--listen", "127.0.0.1:0", "--state-dir", state.toString());
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("another orchestrator uses this state").hasLineCount(1);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatIsWrongAboutItsCertificateIsNamedInOneLine(@TempDir Path state) {
    String file = state.resolve("none.pem").toString();
    assertThat(run("--certificate", file).err()).contains("--certificate-key").hasLineCount(1);
    assertThat(run("--certificate", file, "--certificate-key", file, "--tls", "off").err())
        .contains("--tls off")
        .hasLineCount(1);
    assertThat(
            run(
                    "--listen",
                    "127.0.0.1:0",
                    "--state-dir",
                    state.toString(),
                    "--certificate",
                    file,
                    "--certificate-key",
                    file)
                .err())
        .contains("there is no " + file)
        .hasLineCount(1);
    assertThat(run("--advertise", "https://here:7400").err())
        .contains("a host name or an IP address")
        .hasLineCount(1);
  }

  @Test
  void misuseIsNamedInOneLine() {
    assertThat(run("--listen", "7400").err()).contains("expected: HOST:PORT");
    assertThat(run("--listen", "h:70000").code()).isEqualTo(2);
    assertThat(run("--heartbeat", "0").err()).contains("expected: 0.05 to 300 seconds");
    assertThat(run("--forget-lost-after", "1s").err()).contains("expected: 1min to 3650d");
    assertThat(run("--forget-lost-after", "7").err()).contains("expected: a time");
    assertThat(run("--oidc-issuer", "http://login.example.net", "--oidc-audience", "x").err())
        .contains("--oidc-issuer http://login.example.net (expected: https://HOST")
        .hasLineCount(1);
    assertThat(run("--port", "1").code()).isEqualTo(2);
  }

  @Test
  void helpExplainsEveryOption() {
    StringWriter out = new StringWriter();
    int code = line(Map.of()).setOut(new PrintWriter(out)).execute("--help");

    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("--listen", "--state-dir", "--token", "--heartbeat", "127.0.0.1:7400")
        // picocli leaves a text as it is where it cannot format it, and complains.
        .contains("such as 5%,", "0%).")
        .doesNotContain("%%", "${");
  }

  @Test
  void theEnvironmentStandsInForOptions(@TempDir Path state) {
    OrchestratorCommand command = new OrchestratorCommand();
    Verbs.prepare(
            new CommandLine(command),
            Map.of(
                "CASCADE_TOKEN", "t", "CASCADE_LISTEN", "[::1]:0", "CASCADE_CONFIG", "/dev/null"),
            Throwable::getMessage)
        .parseArgs("--state-dir", state.toString());

    Settings settings = command.settings();

    assertThat(settings.token()).isEqualTo("t");
    assertThat(settings.host()).isEqualTo("::1");
    assertThat(settings.port()).isZero();
    assertThat(settings.stateDirectory()).isEqualTo(state);
    assertThat(settings.heartbeat()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.forgetLostAfter()).isEqualTo(Duration.ofDays(7));
  }

  private record Run(int code, String err) {}

  private static Run run(String... arguments) {
    StringWriter err = new StringWriter();
    int code = line(Map.of()).setErr(new PrintWriter(err)).execute(arguments);
    return new Run(code, err.toString());
  }

  private static Process process(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).start();
  }
}
