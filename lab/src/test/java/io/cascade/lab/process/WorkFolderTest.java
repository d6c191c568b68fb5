package io.cascade.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class WorkFolderTest {
  private final StringWriter said = new StringWriter();

  @Test
  void isRemovedWhereEverythingHeld() throws Exception {
    WorkFolder work = WorkFolder.make("test");
    Files.createDirectory(work.path().resolve("state"));

    work.leave(true, new PrintWriter(said));

    assertThat(work.path()).doesNotExist();
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void staysWithItsLogsWhereSomethingDidNot() throws Exception {
    WorkFolder work = WorkFolder.make("test");
    try {
      work.leave(false, new PrintWriter(said));

      assertThat(work.path()).isDirectory();
      assertThat(said.toString()).contains("the logs are in " + work.path());
    } finally {
      work.remove();
    }
  }
}
