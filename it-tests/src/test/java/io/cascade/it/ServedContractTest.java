package io.cascade.it;

import static io.cascade.it.ClientPrograms.need;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Role;
import io.cascade.testing.ReservedPort;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What running servers answer to values that schemathesis makes up is as their contracts say: an
 * orchestrator for every role, a relay's control port, and the service of transfers. The values are
 * the same each time; {@code it-tests/contract/check} tries others for as long as it is told to.
 */
@Timeout(600)
class ServedContractTest {
  private static final Path CHECK = Path.of("contract", "check").toAbsolutePath();
  private static final String TOKEN = "a-token-of-this-test-alone";

  /** How the script ends where no registry gives it schemathesis. */
  private static final int NO_PACKAGES = 75;

  private static final Path CONTRACTS =
      LauncherWithCaches.LAUNCHER.resolveSibling("api-spec/src/main/resources/openapi");

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Verb orchestrator;

  @SuppressWarnings("NullAway.Init")
  private static URI address;

  @BeforeAll
  static void start() throws Exception {
    need("python3");
    String state = folder.resolve("state").toString();
    orchestrator =
        Verb.start(
            folder,
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            state,
            "--token",
            TOKEN);
    address = URI.create(orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
  }

  @AfterAll
  static void stop() {
    if (orchestrator != null) {
      orchestrator.close();
    }
  }

  /** Every bound of every value is tried, just inside and just outside. */
  @Test
  void isKeptAtTheBoundsOfAllValues() throws Exception {
    assertThatTheOrchestratorKeepsIt(TOKEN, "--phases", "coverage");
  }

  @Test
  void isKeptByTheControlPortOfARelay() throws Exception {
    try (Verb relay =
        Verb.start(
            folder,
            "relay",
            "--name",
            "r1",
            "--orchestrator",
            "http://127.0.0.1:" + ReservedPort.untilTheEnd(),
            "--token",
            TOKEN,
            "--hop-port",
            "0",
            "--control-port",
            "0",
            "--allow-destination",
            "127.0.0.1/32")) {
      String control = relay.awaitLine("ready: control (http://[0-9.:]+)").group(1);

      assertThatItIsKept(
          CONTRACTS.resolve("relay-control.yaml").toString(),
          control + "/control/v1",
          TOKEN,
          "--phases",
          "coverage,fuzzing",
          "--max-examples",
          "5");
    }
  }

  @Test
  void isKeptByTheServiceOfTransfers() throws Exception {
    Path outgoing = Files.createDirectory(folder.resolve("outgoing"));
    Path _ = Files.writeString(outgoing.resolve("a.txt"), "a");
    String state = folder.resolve("service").toString();
    try (Verb service =
        Verb.start(
            folder, "serve", "--listen", "127.0.0.1:0", "--state", state, outgoing.toString())) {
      Matcher ready = service.awaitLine("serving on (http://\\S+), token in (\\S+)");
      String token = Files.readString(Path.of(ready.group(2))).strip();

      assertThatItIsKept(
          CONTRACTS.resolve("transfers.yaml").toString(),
          ready.group(1),
          token,
          "--phases",
          "coverage,fuzzing",
          "--max-examples",
          "20");
    }
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void isKeptForEveryRole(Role role) throws Exception {
    OrchestratorClient client = new OrchestratorClient(address, TOKEN);
    String key = client.createKey(new ApiKeyRequest("r1", role, null)).secret();

    assertThatTheOrchestratorKeepsIt(key, "--phases", "fuzzing", "--max-examples", "1");
  }

  private static void assertThatTheOrchestratorKeepsIt(String key, String... options)
      throws Exception {
    assertThatItIsKept(address + "/openapi.yaml", address + "/api/v1", key, options);
  }

  private static void assertThatItIsKept(String contract, String url, String key, String... options)
      throws Exception {
    Path said = Files.createTempFile(folder, "said", ".txt");
    List<String> command = new ArrayList<>(List.of(CHECK.toString(), contract, url, key));
    command.add("--generation-deterministic");
    command.addAll(List.of(options));
    Process check =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      assertThat(check.waitFor(500, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      check.destroyForcibly();
    }
    boolean hasPackages = check.exitValue() != NO_PACKAGES;
    if (!hasPackages) {
      System.out.println(
          "SKIPPED: the packages that it-tests/contract/check needs are not to be had");
    }
    assumeTrue(hasPackages, "no packages");
    assertThat(check.exitValue()).as(Files.readString(said)).isZero();
  }
}
