package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The long run, as short as it can be and still see a relay killed. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SoakTest {
  @TempDir private Path folder;

  @Test
  void everythingHoldsAlthoughARelayIsKilled() throws Exception {
    try (Verb soak =
        Verb.start(
            folder,
            "soak",
            "--duration",
            "15s",
            "--kill-every",
            "5s",
            "--output",
            folder.resolve("report").toString(),
            "--json")) {
      int exit = soak.await();
      assertThat(exit).as(soak.text()).isZero();
      JsonNode report = Json.lenient().readTree(soak.text().substring(soak.text().indexOf('{')));
      assertThat(report.get("kills").asInt()).isPositive();
      assertThat(report.get("visits").get("held").asInt()).isPositive();
      assertThat(report.get("failures")).isEmpty();
      assertThat(report.get("rests")).hasSize(4);
      assertThat(folder.resolve("report/soak.md")).content().contains("everything held");
    }
  }
}
