package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyFileTest {
  @TempDir private Path folder;

  @Test
  void isReplacedAsAWholeAndNobodyElseReadsIt() throws IOException {
    Path file = folder.resolve("new").resolve("secret");
    OwnerOnlyFile.makeFolder(file);
    OwnerOnlyFile.write(file, "one");
    OwnerOnlyFile.write(file, "two");

    assertThat(OwnerOnlyFile.read(file, 3)).isEqualTo("two");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(Files.getPosixFilePermissions(folder.resolve("new")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    try (var left = Files.list(folder.resolve("new"))) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void whatIsMissingIsNothingAndWhatIsTooLongIsRefused() throws IOException {
    Path file = folder.resolve("secret");
    assertThat(OwnerOnlyFile.read(file, 10)).isNull();
    OwnerOnlyFile.write(file, "12345678901");
    assertThatThrownBy(() -> OwnerOnlyFile.read(file, 10)).isInstanceOf(IOException.class);
  }

  @Test
  void onlyAFileIsReplaced() throws IOException {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    assertThatThrownBy(() -> OwnerOnlyFile.write(taken, "text")).isInstanceOf(IOException.class);
    assertThat(taken).isDirectory();
  }

  @Test
  void accessIsKeptInTheFormOfAConfigurationFile() throws IOException {
    Path file = folder.resolve("access.properties");
    AccessFile access = new AccessFile("https://[::1]:7400#sha256-a,sha256-b", "csk_key");
    access.write(file);

    assertThat(AccessFile.read(file)).isEqualTo(access);
    assertThat(Files.readAllLines(file))
        .containsExactly("orchestrator=https://[::1]:7400#sha256-a,sha256-b", "token=csk_key");
    assertThat(access.toString()).doesNotContain("csk_key");
    assertThat(AccessFile.read(folder.resolve("none"))).isNull();
  }
}
