package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The whole instrument: emulated links, sites, the orchestrator and relays in them, transfers,
 * results, the report. What is measured is only looked at where no busy machine can change it.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ExperimentTest {
  private static final Path SMOKE = Path.of("../studies/experiments/smoke.yaml").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path folder;

  @BeforeAll
  static void needsNetworksOfItsOwn() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: the smoke experiment needs root");
    assumeTrue(
        Files.exists(Path.of("/dev/net/tun")), "SKIPPED: the smoke experiment needs /dev/net/tun");
  }

  private Verb experiment(Path output) {
    return Verb.start(
        folder, "reproduce", SMOKE.toString(), "--parallel", "1", "--out", output.toString());
  }

  @Test
  void anExperimentThatIsInterruptedGoesOnWhereItWasAndReports() throws Exception {
    Path output = folder.resolve("out");
    try (Verb first = experiment(output)) {
      awaitText(first, "1/5,");
      ProcessHandle.of(first.pid()).orElseThrow().destroy();
      assertThat(first.await()).isNotZero();
      assertThat(first.text()).contains("the same command goes on from here");
      assertThat(processesOf(first.pid())).isEmpty();
    }
    int measured = results(output).size();
    assertThat(measured).isBetween(1, 4);

    try (Verb second = experiment(output)) {
      int exit = second.await();
      assertThat(exit).as(second.text()).isZero();
      assertThat(second.text()).contains((5 - measured) + " of 5 runs to measure");
    }

    Map<String, JsonNode> results = results(output);
    assertThat(results).hasSize(5);
    results.forEach((key, result) -> {
      assertThat(result.get("failure")).as(key + ": " + result).isNull();
      assertThat(result.get("bytes").asLong()).as(key).isPositive();
      assertThat(result.get("links")).as(key).isNotEmpty();
      boolean relays = key.contains("relay");
      assertThat(result.has("setup")).as(key).isEqualTo(relays);
      if (key.startsWith("sized")) {
        assertThat(result.get("bytes").asLong()).as(key).isEqualTo(1 << 20);
        assertThat(result.get("seconds").asDouble()).as(key).isGreaterThan(0.04);
      }
    });
    assertThat(output.resolve("smoke.md")).content().contains("Published and measured");
  }

  private static Map<String, JsonNode> results(Path output) throws Exception {
    Map<String, JsonNode> results = new HashMap<>();
    for (String line : Files.readAllLines(output.resolve("results/smoke.jsonl"))) {
      JsonNode result = Json.lenient().readTree(line);
      if (result.get("failure") == null) {
        results.put(result.get("key").asString(), result);
      }
    }
    return results;
  }

  /** Those of its labs, which are named after it. */
  private static List<String> processesOf(long pid) {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains("x" + pid + "-"))
        .toList();
  }

  private static void awaitText(Verb verb, String text) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!verb.text().contains(text)) {
      assertThat(verb.running()).as(verb.text()).isTrue();
      assertThat(System.nanoTime()).as(verb.text()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }
}
