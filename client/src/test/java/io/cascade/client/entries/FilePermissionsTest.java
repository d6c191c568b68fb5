package io.cascade.client.entries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.kernel.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePermissionsTest {
  private static final Set<PosixFilePermission> MINE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> ALL = PosixFilePermissions.fromString("rw-rw-rw-");
  private static final Set<PosixFilePermission> NONE = Set.of();

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  FilePermissionsTest() {}

  private Path file() throws IOException {
    return Files.createFile(
        folder.resolve("a file\u00e9"), PosixFilePermissions.asFileAttribute(MINE));
  }

  @Test
  void areSetAlsoWhereNobodyMayOpenTheFile() throws Exception {
    Path file = file();
    for (Set<PosixFilePermission> permissions : List.of(ALL, NONE, MINE)) {
      FilePermissions.set(file, permissions);
      assertThat(Files.getPosixFilePermissions(file)).isEqualTo(permissions);
    }
  }

  @Test
  void ofWhatALinkNamesTheyStay() throws Exception {
    Path file = file();
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThatThrownBy(() -> FilePermissions.set(link, ALL)).isInstanceOf(IOException.class);
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(MINE);
  }

  /** As where the link takes the file's place once that was looked at. */
  @Test
  void ofWhatAnOpenLinkNamesTheyStay() throws Exception {
    Path file = file();
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    try (Descriptor open =
        Descriptor.open(
            Names.rawBytes(link), Descriptor.O_PATH | Descriptor.O_NOFOLLOW, link.toString())) {
      try {
        FilePermissions.set(open, ALL);
      } catch (IOException e) {
        // As kernels from 6.6 on answer; earlier ones give the link itself the permissions.
      }
    }
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(MINE);
  }
}
