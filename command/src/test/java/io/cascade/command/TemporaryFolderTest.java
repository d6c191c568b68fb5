package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path parent;

  @Test
  void folderGoesWithAllThatIsInIt() throws IOException {
    Path folder = Files.createDirectories(parent.resolve("a/b"));
    Files.writeString(folder.resolve("c"), "d");

    TemporaryFolder.remove(parent.resolve("a"));

    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void folderThatIsGoneIsNoError() {
    TemporaryFolder.remove(parent.resolve("gone"));
  }
}
