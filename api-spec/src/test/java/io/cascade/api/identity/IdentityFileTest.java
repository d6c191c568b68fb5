package io.cascade.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityFileTest {
  @TempDir private Path folder;
  private Path path;

  @SuppressWarnings("NullAway.Init")
  IdentityFileTest() {}

  @BeforeEach
  void place() {
    path = folder.resolve("relays/r1.identity");
  }

  @Test
  void everyStartIsAnotherGenerationOfTheSameKey() {
    String key;
    try (IdentityFile first = IdentityFile.start(path)) {
      assertThat(first.generation()).isEqualTo(1);
      key = first.key().publicKey();
    }
    try (IdentityFile second = IdentityFile.start(path)) {
      assertThat(second.generation()).isEqualTo(2);
      assertThat(second.key().publicKey()).isEqualTo(key);
    }
    try (IdentityFile other = IdentityFile.start(folder.resolve("r2.identity"))) {
      assertThat(other.key().publicKey()).isNotEqualTo(key);
    }
  }

  @Test
  void nobodyElseMayReadIt() throws IOException {
    IdentityFile.start(path).close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void theFileBehindALinkIsReplacedAndNotTheLink() throws IOException {
    IdentityFile.start(path).close();
    Path link = Files.createSymbolicLink(folder.resolve("link"), path);

    try (IdentityFile second = IdentityFile.start(link)) {
      assertThat(second.generation()).isEqualTo(2);
    }
    assertThat(link).isSymbolicLink();
    try (IdentityFile third = IdentityFile.start(path)) {
      assertThat(third.generation()).isEqualTo(3);
    }
  }

  @Test
  @Timeout(30)
  void whatIsNoFileIsNeitherReadNorReplaced() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatThrownBy(() -> IdentityFile.start(pipe))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is a device or a named pipe, not a file); fix: --identity");
    assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther()).isTrue();
  }

  @Test
  void twoProcessesCannotHaveItAtOnce() {
    IdentityFile held = IdentityFile.start(path);

    assertThatThrownBy(() -> IdentityFile.start(path))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("another process uses it; fix: ")
        .hasMessageContaining("--hand-over")
        .hasMessageNotContaining("\n");

    held.close();
    try (IdentityFile next = IdentityFile.start(path)) {
      assertThat(next.generation()).as("a start that was refused counts not").isEqualTo(2);
    }
  }

  @Test
  void aSuccessorHasTheSameGenerationAndTheLockWhenItIsReleased() throws IOException {
    IdentityFile before = IdentityFile.start(path);
    IdentityFile after = IdentityFile.takeOver(path, before.key().publicKey(), 1);
    assertThat(after.awaitLock(Duration.ZERO)).isFalse();

    before.close();

    assertThat(after.awaitLock(Duration.ZERO)).isTrue();
    assertThat(after.generation()).isEqualTo(1);
    assertThatThrownBy(() -> IdentityFile.start(path)).isInstanceOf(CommandException.class);
    after.close();
  }

  @Test
  void aSuccessorNeedsTheKeyOfItsPredecessor() {
    IdentityFile.start(path).close();

    assertThatThrownBy(() -> IdentityFile.takeOver(path, "another", 1))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("fix: start with its --identity FILE");
    assertThatThrownBy(() -> IdentityFile.takeOver(folder.resolve("none"), "another", 1))
        .isInstanceOf(CommandException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not JSON",
        "null",
        "{}",
        "{\"publicKey\":\"a\",\"secretKey\":\"b\",\"generation\":0}",
        "{\"publicKey\":\"a\",\"secretKey\":\"b\",\"generation\":7}"
      })
  void whatIsNoIdentityIsNotReplaced(String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);

    assertThatThrownBy(() -> IdentityFile.start(path))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no relay's identity")
        .hasMessageContaining("fix: restore the file")
        .hasMessageNotContaining("\n");

    assertThat(path).hasContent(text);
  }

  @Test
  void aWriterThatWasKilledLeavesTheOldIdentity() throws IOException {
    IdentityFile.start(path).close();
    Files.writeString(path.resolveSibling("r1.identity.new"), "{\"publicKey\":");

    try (IdentityFile next = IdentityFile.start(path)) {
      assertThat(next.generation()).isEqualTo(2);
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamedWithTheFix() throws IOException {
    Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> IdentityFile.start(folder.resolve("file/r1.identity")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("fix: --identity FILE in a folder that this user may write to")
        .hasMessageNotContaining("\n");
  }
}
