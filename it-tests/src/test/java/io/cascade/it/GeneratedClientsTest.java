package io.cascade.it;

import static io.cascade.it.ClientPrograms.need;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are generated from the contract, by their example programs. */
@Timeout(300)
class GeneratedClientsTest {
  private static final Path CLIENTS = Path.of("..", "clients").toAbsolutePath().normalize();

  /** How {@code clients/generate} ends where no registry gives it the generator's packages. */
  private static final int NO_PACKAGES = 75;

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Cluster cluster;

  @SuppressWarnings("NullAway.Init")
  private static ServerSocket destination;

  @BeforeAll
  static void start() throws Exception {
    destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    cluster = Cluster.start(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
    destination.close();
  }

  @Test
  void aPythonProgramPlansAndOpensAChain() throws Exception {
    need("python3");
    generate("python");
    Path python = CLIENTS.resolve("python");

    assertThatTheExampleWorks(
        "env",
        "PYTHONPATH=" + python.resolve("target/cascade-orchestrator"),
        python.resolve("target/venv/bin/python").toString(),
        python.resolve("example.py").toString());
  }

  @Test
  void aPythonProgramHasAFileSent() throws Exception {
    need("python3");
    generate("python");
    Path python = CLIENTS.resolve("python");

    assertThatAFileIsSent(
        "PYTHONPATH=" + python.resolve("target/cascade-transfers"),
        python.resolve("target/venv/bin/python").toString(),
        python.resolve("send.py").toString());
  }

  @Test
  void aTypeScriptProgramPlansAndOpensAChain() throws Exception {
    need("node");
    need("npm");
    generate("typescript");

    assertThatTheExampleWorks("node", CLIENTS.resolve("typescript/target/example.js").toString());
  }

  @Test
  void aTypeScriptProgramHasAFileSent() throws Exception {
    need("node");
    need("npm");
    generate("typescript");

    assertThatAFileIsSent("node", CLIENTS.resolve("typescript/target/send.js").toString());
  }

  /** With the environment of whoever runs the tests, which says how packages are had. */
  private static void generate(String language) throws Exception {
    Path said = folder.resolve("generate-" + language + ".txt");
    Process generator =
        new ProcessBuilder(CLIENTS.resolve("generate").toString(), language)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(generator.waitFor(200, TimeUnit.SECONDS)).as("generated in time").isTrue();
    boolean hasPackages = generator.exitValue() != NO_PACKAGES;
    if (!hasPackages) {
      System.out.printf(
          "SKIPPED: the packages that clients/generate %s needs are not to be had%n", language);
    }
    assumeTrue(hasPackages, "no packages");
    assertThat(generator.exitValue()).as(Files.readString(said)).isZero();
  }

  private static void assertThatTheExampleWorks(String... program) throws Exception {
    List<String> command = new ArrayList<>(List.of(program));
    command.add(cluster.address().toString());
    command.add("127.0.0.1:" + destination.getLocalPort());

    String printed = new ClientPrograms(folder, Duration.ofSeconds(90)).run(0, command);

    assertThat(printed.lines())
        .contains("relay r1 UP", "relay r2 UP", "relay r3 UP", "chain via r1, r2, r3")
        .anyMatch(line -> line.startsWith("plan "))
        .anyMatch(line -> line.startsWith("event CHAIN_STATE: "))
        .endsWith("chain CLOSED");
  }

  private static void assertThatAFileIsSent(String... program) throws Exception {
    Path here = Files.createTempDirectory(folder, "sent");
    Path outgoing = Files.createDirectory(here.resolve("outgoing"));
    Path file = Files.write(outgoing.resolve("backup.tar"), new byte[100_000]);
    Path in = Files.createDirectory(here.resolve("in"));
    Path state = here.resolve("state");
    try (Verb receive =
            Verb.start(here, "receive", "--listen", "127.0.0.1:0", "--output", in.toString());
        Verb serve =
            Verb.start(
                here,
                "serve",
                outgoing.toString(),
                "--listen",
                "0",
                "--state",
                state.toString(),
                "--orchestrator",
                cluster.address().toString())) {
      String code = receive.awaitLine("send FILE (\\S+)").group(1);
      String address = serve.awaitLine("serving on (http://[^/]*)/").group(1);
      List<String> command =
          new ArrayList<>(
              List.of("env", "CASCADE_TOKEN=" + Files.readString(state.resolve("token")).strip()));
      command.addAll(List.of(program));
      command.addAll(List.of(address, file.toString(), code));

      String printed = new ClientPrograms(here, Duration.ofSeconds(90)).run(0, command);

      assertThat(printed.strip().lines().toList().getLast())
          .matches("ARRIVED " + file + ": [0-9a-f]{64}");
      assertThat(in.resolve("backup.tar")).hasSameBinaryContentAs(file);
    }
  }
}
