package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file that changes while it is sent never arrives as a mixture. */
@Timeout(60)
class ChangedFileTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder = Path.of("");

  enum Change {
    REWRITTEN {
      @Override
      void to(Path file) throws IOException {
        Files.writeString(file, "B".repeat(1_000), StandardOpenOption.WRITE);
        // Also on a file system whose clock ticks seldom.
        FileTime now = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(now.toMillis() + 1));
      }
    },
    REWRITTEN_AND_SET_BACK {
      @Override
      void to(Path file) throws Exception {
        FileTime before = Files.getLastModifiedTime(file);
        Object changed = Files.getAttribute(file, "unix:ctime");
        while (changed.equals(Files.getAttribute(file, "unix:ctime"))) { // Its clock ticks seldom.
          Files.writeString(file, "B".repeat(1_000), StandardOpenOption.WRITE);
          Files.setLastModifiedTime(file, before);
        }
      }
    },
    APPENDED {
      @Override
      void to(Path file) throws IOException {
        Files.writeString(file, "a line", StandardOpenOption.APPEND);
      }
    },
    TRUNCATED {
      @Override
      void to(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(10);
        }
      }
    },
    REPLACED {
      @Override
      void to(Path file) throws IOException {
        Path other = Files.writeString(file.resolveSibling("other"), "B".repeat(1_000));
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
      }
    },
    REMOVED {
      @Override
      void to(Path file) throws IOException {
        Files.delete(file);
      }
    };

    abstract void to(Path file) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void isAnErrorAtBothEnds(Change change) throws Exception {
    Path into = Files.createDirectory(folder.resolve("into"));
    Path file = Files.writeString(folder.resolve("file"), "A".repeat(1_000));
    try (ReceivingPort port = port(into);
        FileChannel content = FileChannel.open(file)) {
      Original original = Original.of(file);
      TransferHeader header = new TransferHeader("file", 1_000);
      change.to(file);

      assertThatThrownBy(() -> sender(port).send(header, content, original))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("while it was sent");

      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      assertThat(into).isEmptyDirectory();
    }
  }

  @Test
  void oneThatIsOnlyReadByOthersArrives() throws Exception {
    Path into = Files.createDirectory(folder.resolve("into"));
    Path file = Files.writeString(folder.resolve("file"), "A".repeat(1_000));
    try (ReceivingPort port = port(into);
        FileChannel content = FileChannel.open(file)) {
      Original original = Original.of(file);
      Files.readAllBytes(file);

      sender(port).send(new TransferHeader("file", 1_000), content, original);

      assertThat(into.resolve("file")).hasSameBinaryContentAs(file);
    }
  }

  private static ReceivingPort port(Path into) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(new OutputTarget(into, false, false), PATIENCE, TransferListener.SILENT));
  }

  private static FileSender sender(ReceivingPort port) throws IOException {
    return new FileSender(
        TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
        PATIENCE,
        TransferListener.SILENT);
  }
}
