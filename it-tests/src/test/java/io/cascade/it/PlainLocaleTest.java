package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends in a locale that has no characters beyond ASCII, and names that have. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PlainLocaleTest {
  private static final List<String> PLAIN = List.of("env", "LC_ALL=C", "LANG=C", "LANGUAGE=C");
  private static final String NAME = "Größe, 東京 😀";

  @TempDir private Path folder;

  @Test
  void aFileArrivesUnderItsName() throws Exception {
    Path file = Files.writeString(folder.resolve(NAME), "content");

    Path into = send(file);

    assertThat(into.resolve(NAME)).hasContent("content");
  }

  @Test
  void aFolderArrivesWithItsNames() throws Exception {
    Path photos = Files.createDirectory(folder.resolve("été"));
    Files.writeString(Files.createDirectory(photos.resolve(NAME)).resolve(NAME), "content");
    Files.createSymbolicLink(photos.resolve("lien é"), Path.of(NAME));

    Path into = send(photos);

    assertThat(into.resolve("été").resolve(NAME).resolve(NAME)).hasContent("content");
    assertThat(Files.readSymbolicLink(into.resolve("été").resolve("lien é")))
        .isEqualTo(Path.of(NAME));
  }

  private Path send(Path what) throws Exception {
    Path into = Files.createDirectory(folder.resolve("into"));
    try (Verb receive =
        Verb.start(
            folder, PLAIN, "receive", "--listen", "127.0.0.1:0", "--output", into.toString())) {
      String code = receive.awaitLine("send FILE (\\S+)").group(1);
      try (Verb send = Verb.start(folder, PLAIN, "send", what.toString(), code, "--direct")) {
        assertThat(send.await()).as(send.text()).isZero();
      }
      assertThat(receive.await()).as(receive.text()).isZero();
    }
    return into;
  }
}
