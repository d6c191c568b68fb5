package io.cascade.orchestrator;

import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Each test has an orchestrator of its own, with nothing in its store. */
@NullUnmarked
abstract class RigTest {
  Rig rig;

  @BeforeEach
  final void start(@TempDir Path state) {
    rig = Rig.start(state);
  }

  @AfterEach
  final void stop() {
    rig.close();
  }
}
