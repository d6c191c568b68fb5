package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The relay beside its peers, as quickly as can be: what is measured is not looked at. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class BenchTest {
  private static final List<String> TRIALS =
      List.of(
          "bulk, 1 stream",
          "bulk, 8 streams",
          "round trip of 64 bytes",
          "round trip of 64 bytes beside a bulk stream",
          "short connections",
          "start, on one processor",
          "start, on every processor",
          "memory of 200 idle streams",
          "3 in a row: bulk, 1 stream",
          "3 in a row: round trip of 64 bytes",
          "3 in a row: short connections",
          "a framed pipe between two: bulk, 1 stream",
          "a framed pipe between two: bulk, 8 streams",
          "a framed pipe between two: round trip of 64 bytes",
          "TLS between two: bulk, 1 stream",
          "TLS between two: bulk, 8 streams",
          "TLS between two: round trip of 64 bytes",
          "TLS between two: short connections");

  @TempDir Path folder;

  @Test
  void reportsEveryTrialOfTheRelayWithItsBytesVerified() throws Exception {
    Path report = folder.resolve("report");
    // The other peers have tests of their own.
    try (Verb bench =
        Verb.start(
            folder,
            "reproduce",
            "bench",
            "--quick",
            "--against",
            "haproxy,direct",
            "--out",
            report.toString())) {
      int exit = bench.await();
      bench
          .text()
          .lines()
          .filter(line -> line.contains("apt-get install"))
          .distinct()
          .forEach(line -> System.err.println("NOT COMPARED: " + line));

      assertThat(exit).as(bench.text()).isZero();
    }

    JsonNode json =
        Json.lenient().readTree(Files.readString(report.resolve("results/bench.jsonl")));
    assertThat(json.get("failures")).isEmpty();
    List<String> titles = new ArrayList<>();
    for (JsonNode trial : json.get("trials")) {
      titles.add(trial.get("title").asString());
      JsonNode own = trial.get("rows").get(0);
      assertThat(own.get("contender").asString()).isEqualTo(trial.get("own").asString());
      for (JsonNode cell : own.get("cells")) {
        assertThat(cell.get("rounds")).hasSize(1);
      }
    }
    assertThat(titles).containsExactlyElementsOf(TRIALS);
    List<String> allocations = new ArrayList<>();
    for (JsonNode profile : json.get("allocations")) {
      allocations.add(profile.get("title").asString() + ", " + profile.get("contender").asString());
      assertThat(profile.get("units").asDouble()).isPositive();
    }
    assertThat(allocations)
        .containsExactly(
            "bulk, 1 stream, cascade copy",
            "bulk, 1 stream, cascade splice",
            "short connections, cascade");
    for (JsonNode scaling : json.get("scaling")) {
      assertThat(scaling.get("rows").get(0).get("contender").asString()).endsWith(" on 1");
      assertThat(scaling.get("rows").get(1).get("contender").asString()).endsWith(" on 2");
    }
    String markdown = Files.readString(report.resolve("bench.md"));
    assertThat(markdown).contains("## Bulk, 8 streams", "| cascade |", "| direct |");
    assertThat(markdown.lines().filter(line -> line.startsWith("![")).toList())
        .isNotEmpty()
        .allSatisfy(line ->
            assertThat(report.resolve(line.replaceAll(".*\\((.*)\\)", "$1"))).isNotEmptyFile());
  }
}
