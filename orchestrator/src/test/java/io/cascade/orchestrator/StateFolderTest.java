package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** Folders that orchestrators make. */
@NullUnmarked
class StateFolderTest {

  @Test
  void aStartDoesNotMakeTheFolderOfAnEarlierOneAnew(@TempDir Path earlier, @TempDir Path later)
      throws IOException {
    Rig.start(earlier).close();
    assertThat(FileSystemUtils.deleteRecursively(earlier.resolve("orchestrator"))).isTrue();

    Rig.start(later).close();

    assertThat(earlier).isEmptyDirectory();
  }
}
