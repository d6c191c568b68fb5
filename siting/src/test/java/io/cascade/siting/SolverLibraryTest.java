package io.cascade.siting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class SolverLibraryTest {

  @Test
  @EnabledOnOs(OS.LINUX)
  void leavesNoFileBehindWhileItIsInUse() throws IOException {
    SolverLibrary.load();

    Path process = Path.of("/proc/self/maps");
    assertThat(Files.readString(process)).contains("libjniortools.so (deleted)");
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("ortools-java"));
    }
  }
}
