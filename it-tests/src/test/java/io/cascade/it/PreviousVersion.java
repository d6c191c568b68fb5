package io.cascade.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The version before this one, of the commit that the property {@code previous} names if any. */
final class PreviousVersion {
  /** Exit code of {@code .ci/previous} where the history has none. */
  private static final int NONE = 3;

  private static final int BUILD_MINUTES = 15;

  private PreviousVersion() {}

  /**
   * Returns its launcher once it is built, which {@code .ci/run} begins beside other tests; skips
   * the tests, loudly, where the history has none.
   */
  static Path launcherOrSkip() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(LauncherWithCaches.LAUNCHER.resolveSibling(".ci").resolve("previous").toString());
    String commit = System.getProperty("previous", "true");
    if (!commit.equals("true")) {
      command.add(commit);
    }
    Process building =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      assertThat(building.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)).as("built in time").isTrue();
      if (building.exitValue() == NONE) {
        System.out.println("SKIPPED: the history has no version before this one, see above");
        abort("no version before this one");
      }
      assertThat(building.exitValue()).as("exit code of .ci/previous").isZero();
      return Path.of(new String(building.getInputStream().readAllBytes(), UTF_8).strip());
    } finally {
      building.descendants().forEach(ProcessHandle::destroy);
      building.destroy();
    }
  }
}
