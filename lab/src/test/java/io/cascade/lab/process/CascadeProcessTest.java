package io.cascade.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cascade.command.CommandException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a part in a process of its own, by its log. */
class CascadeProcessTest {
  private static final Pattern READY = Pattern.compile("ready at (\\S+)");

  @TempDir Path folder;

  private CascadeProcess start(String script) {
    return CascadeProcess.start(
        "r1", new ProcessBuilder("sh", "-c", script), folder.resolve("log"), READY);
  }

  @Test
  void itsReadyLineSaysWhereItServes() {
    try (CascadeProcess process = start("echo starting; echo ready at here; exec sleep 60")) {
      assertThat(process.awaitReady().group(1)).isEqualTo("here");
      assertThat(process.isAlive()).isTrue();
    }
  }

  @Test
  void oneThatEndsBeforeItServesFailsWithTheEndOfItsLog() {
    try (CascadeProcess process = start("echo no room; exit 3")) {
      assertThatExceptionOfType(CommandException.class)
          .isThrownBy(process::awaitReady)
          .withMessage("r1 ended with exit code 3: no room");
    }
  }

  @Test
  void oneThatWasKilledStartsOnceMoreWithANewLog() throws InterruptedException {
    try (CascadeProcess process = start("echo ready at $$; exec sleep 60")) {
      String first = process.awaitReady().group(1);
      process.killAndStart();
      assertThat(process.awaitReady().group(1)).isNotEqualTo(first);
    }
  }

  @Test
  void oneThatWasClosedIsNotStartedOnceMore() throws InterruptedException {
    CascadeProcess process = start("echo ready at $$; exec sleep 60");
    process.close();

    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(process::killAndStart)
        .withMessage("r1 is closed");
    assertThat(process.isAlive()).isFalse();
  }
}
