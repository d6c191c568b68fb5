package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file whose sender, receiver or both are killed at random times arrives as it was. More
 * transfers than here: {@code ./cascade reproduce transfers --only kills --kills 200}.
 */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RandomKillsTest {
  private static final int TRANSFERS = 3;

  @TempDir private Path folder;

  @Test
  void noTransferIsWrong() throws Exception {
    Path report = folder.resolve("report");
    try (Verb kills =
        Verb.start(
            folder,
            "reproduce",
            "transfers",
            "--only",
            "kills",
            "--kills",
            String.valueOf(TRANSFERS),
            "--out",
            report.toString())) {
      int exit = kills.await();

      assertThat(exit).as(kills.text()).isZero();
      assertThat(report.resolve("transfers.md"))
          .content()
          .contains("| none | 0 of %d | met |".formatted(TRANSFERS));
    }
  }
}
