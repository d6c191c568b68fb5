package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
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
  void goesOnAnsweringAfterAnError(@TempDir Path folder) {
    Path path = folder.resolve("gateway.sock");
    Iterator<Error> failures = List.<Error>of(new OutOfMemoryError("for a moment")).iterator();
    try (StatusSocket socket = StatusSocket.claim(path)) {
      socket.answer(() -> {
        if (failures.hasNext()) {
          throw failures.next();
        }
        throw new IllegalStateException("a defect");
      });

      for (int i = 0; i < 3; i++) {
        assertThat(StatusSocket.ask(path)).isEmpty();
      }
    }
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
