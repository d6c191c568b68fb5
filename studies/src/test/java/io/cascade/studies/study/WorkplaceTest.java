package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.TemporaryFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class WorkplaceTest {
  @Test
  void isRemovedWithAllThatIsInIt() throws Exception {
    Path path;
    try (Workplace work = Workplace.make("study")) {
      path = work.path();
      Files.writeString(path.resolve("log"), "said");
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void staysForItsLogsWhereAResultDoesNotHold() throws Exception {
    assertThat(stays(() -> 1)).isFalse();
    assertThat(stays(() -> 2)).isTrue();
  }

  @Test
  void staysForItsLogsWhereAMeasurementFails() throws Exception {
    assertThat(
            stays(() -> {
              throw new IllegalStateException("no");
            }))
        .isTrue();
  }

  private static boolean stays(Callable<Integer> measurement) throws Exception {
    StringWriter said = new StringWriter();
    Path path;
    try (Workplace work = Workplace.make("study")) {
      path = work.path();
      int _ = work.measured(measurement, result -> result == 1, new PrintWriter(said));
    } catch (IllegalStateException e) {
      path = Path.of(said.toString().strip().replaceFirst("the logs are in ", ""));
    }
    boolean stays = Files.exists(path);
    assertThat(said.toString().isEmpty()).isEqualTo(!stays);
    TemporaryFolder.remove(path);
    return stays;
  }
}
