package io.cascade.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class PipeReaderTest {
  private static final int O_RDONLY = 0;
  private static final int O_WRONLY = 1;

  @TempDir private Path folder;

  @Test
  void awaitsTheEndOfTheLastReader() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (Descriptor one = open(pipe, O_RDONLY);
        Descriptor other = open(pipe, O_RDONLY);
        Descriptor writer = open(pipe, O_WRONLY)) {
      CompletableFuture<Void> gone =
          CompletableFuture.runAsync(() -> {
            try {
              PipeReader.awaitGone(writer.number());
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      one.close();
      assertThat(gone).isNotDone();

      other.close();

      gone.get(20, TimeUnit.SECONDS);
    }
  }

  private static Descriptor open(Path pipe, int mode) throws IOException {
    byte[] name = pipe.toString().getBytes(StandardCharsets.UTF_8);
    return Descriptor.open(name, mode | Descriptor.O_NONBLOCK, pipe.toString());
  }
}
