package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusSocketTest {
  @Test
  void aNamesakeIsNamedBeforeTheFirstAnswersAnything(@TempDir Path folder) {
    Path path = folder.resolve("gateway.sock");
    try (StatusSocket ignored = StatusSocket.claim(path)) {
      assertThatThrownBy(() -> StatusSocket.claim(path))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("a gateway answers at");
      assertThat(path).exists();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void whatIsNoSocketStays(@TempDir Path folder) throws Exception {
    Path path = Files.writeString(folder.resolve("notes"), "data");

    assertThatThrownBy(() -> StatusSocket.claim(path))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is a file, not a socket")
        .hasMessageContaining("--control");
    assertThat(path).hasContent("data");
  }
}
