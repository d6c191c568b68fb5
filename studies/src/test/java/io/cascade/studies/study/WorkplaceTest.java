package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.TemporaryFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void staysWhereItsLogsAreWanted() throws Exception {
    StringWriter said = new StringWriter();
    Path path;
    try (Workplace work = Workplace.make("study")) {
      path = work.path();
      work.keep(new PrintWriter(said));
    }
    try {
      assertThat(path).isDirectory();
      assertThat(said.toString()).contains("the logs are in " + path);
    } finally {
      TemporaryFolder.remove(path);
    }
  }
}
