package io.cascade.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinFilesTest {
  @Test
  void keepsWhatEachServerSaid(@TempDir Path folder) {
    PinFiles pins = new PinFiles(folder.resolve("pins"));
    assertThat(pins.load("[::1]:7400")).isNull();

    pins.keep("[::1]:7400", "one\n");
    pins.keep("control.example.net:7400", "two\n");

    assertThat(new PinFiles(folder.resolve("pins")).load("[::1]:7400")).isEqualTo("one\n");
    assertThat(pins.load("control.example.net:7400")).isEqualTo("two\n");
  }

  @Test
  void whatCannotBeKeptIsNoFailure(@TempDir Path folder) throws IOException {
    PinFiles pins = new PinFiles(Files.createFile(folder.resolve("file")));
    pins.keep("a:1", "text");
    assertThat(pins.load("a:1")).isNull();
  }
}
