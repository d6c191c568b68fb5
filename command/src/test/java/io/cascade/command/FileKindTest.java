package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKindTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  FileKindTest() {}

  @Test
  void tellsWhatStandsAtAPath() throws Exception {
    assertThat(FileKind.at(folder)).isEqualTo(FileKind.FOLDER);
    assertThat(FileKind.at(folder.resolve("nothing"))).isEqualTo(FileKind.ABSENT);
    assertThat(FileKind.at(file())).isEqualTo(FileKind.REGULAR);
    assertThat(FileKind.at(link())).isEqualTo(FileKind.SYMBOLIC_LINK);
    assertThat(FileKind.at(pipe())).isEqualTo(FileKind.OTHER);
    assertThat(FileKind.at(socket())).isEqualTo(FileKind.SOCKET);
    assertThat(FileKind.at(Path.of("/dev/null"))).isEqualTo(FileKind.OTHER);
  }

  @Test
  void onlyAFileOrNothingIsReplaced() throws Exception {
    FileKind.requireReplaceable(folder.resolve("nothing"));
    FileKind.requireReplaceable(file());
    for (Path other : new Path[] {folder, link(), pipe(), socket()}) {
      assertThatThrownBy(() -> FileKind.requireReplaceable(other))
          .hasMessageContaining("not a file");
    }
  }

  @Test
  void aFileTakesANameThatNothingHas() throws Exception {
    Path from = Files.writeString(folder.resolve("from"), "new");
    Path taken = Files.writeString(folder.resolve("taken"), "old");

    assertThatThrownBy(() -> FileKind.moveUnlessThere(from, taken))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(taken).hasContent("old");

    FileKind.moveUnlessThere(from, folder.resolve("free"));
    assertThat(folder.resolve("free")).hasContent("new");
    assertThat(from).doesNotExist();
  }

  @Test
  void onlyASocketIsRemovedAsOne() throws Exception {
    FileKind.removeSocket(folder.resolve("nothing"));
    FileKind.removeSocket(socket());
    assertThat(folder.resolve("socket")).doesNotExist();
    for (Path other : new Path[] {file(), link(), pipe()}) {
      assertThatThrownBy(() -> FileKind.removeSocket(other)).hasMessageContaining("not a socket");
      assertThat(Files.exists(other, java.nio.file.LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
  }

  private Path file() throws Exception {
    return Files.writeString(folder.resolve("file"), "data");
  }

  private Path link() throws Exception {
    return Files.createSymbolicLink(folder.resolve("link"), folder.resolve("file"));
  }

  private Path pipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  private Path socket() throws Exception {
    Path path = folder.resolve("socket");
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(path))
        .close();
    return path;
  }
}
