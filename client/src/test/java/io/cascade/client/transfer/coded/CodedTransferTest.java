package io.cascade.client.transfer.coded;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.ReceiverAccess;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.TransferHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A sender and a receiver that speak by a coded session, with no relay between them. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class CodedTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void aFileArrivesOverACodedSessionAlone() throws Exception {
    Path file = random(5 << 20);
    try (Receiver receiver = new Receiver(folder.resolve("received"), true);
        CodedDial dial =
            new CodedDial(receiver.address(), ReceiverAccess.IN_CLEAR, new PathMemory());
        FileChannel content = FileChannel.open(file);
        FileTransfer transfer = transfer(content)) {
      ByteConnection session = receiver.awaitSession(dial);

      long carried = transfer.carry(session, "coded", false);

      assertThat(transfer.await().bytes()).isEqualTo(content.size());
      assertThat(carried).isEqualTo(content.size());
      assertThat(receiver.port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(folder.resolve("received")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void aSessionAndATcpConnectionShareAFile() throws Exception {
    Path file = random(5 << 20);
    try (Receiver receiver = new Receiver(folder.resolve("received"), true);
        CodedDial dial =
            new CodedDial(receiver.address(), ReceiverAccess.IN_CLEAR, new PathMemory());
        FileChannel content = FileChannel.open(file);
        FileTransfer transfer = transfer(content)) {
      ByteConnection session = receiver.awaitSession(dial);
      transfer.over(session);
      transfer.over(TcpConnection.connect(receiver.address(), PATIENCE, false));

      assertThat(transfer.await().bytes()).isEqualTo(content.size());
      assertThat(receiver.port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(folder.resolve("received")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void aSessionThatEndsInMidTransferLeavesTheRestToTcp() throws Exception {
    Path file = random(20 << 20);
    try (Receiver receiver = new Receiver(folder.resolve("received"), true);
        CodedDial dial =
            new CodedDial(receiver.address(), ReceiverAccess.IN_CLEAR, new PathMemory());
        FileChannel content = FileChannel.open(file);
        FileTransfer transfer = transfer(content)) {
      ByteConnection session = receiver.awaitSession(dial);
      transfer.over(session);
      transfer.pause(Duration.ofMillis(20));
      session.reset();
      transfer.over(TcpConnection.connect(receiver.address(), PATIENCE, false));

      assertThat(transfer.await().bytes()).isEqualTo(content.size());
      assertThat(folder.resolve("received")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void aReceiverWithoutCodedSessionsIsNotDialled() throws Exception {
    try (Receiver receiver = new Receiver(folder.resolve("received"), false);
        CodedDial dial =
            new CodedDial(receiver.address(), ReceiverAccess.IN_CLEAR, new PathMemory())) {
      assertThat(dial.dial()).isEmpty();
      assertThat(receiver.port.ignored()).as("an invitation is no stranger").isZero();
    }
  }

  @Test
  void nobodyAtThePortIsNoSession() throws Exception {
    HostPort nobody;
    try (Receiver receiver = new Receiver(folder.resolve("received"), false)) {
      nobody = receiver.address();
    }
    try (CodedDial dial = new CodedDial(nobody, ReceiverAccess.IN_CLEAR, new PathMemory())) {
      assertThat(dial.dial()).isEmpty();
    }
  }

  private static FileTransfer transfer(FileChannel content) throws Exception {
    return new FileTransfer(
        new TransferHeader("file", content.size()).asResumable(),
        content,
        Original.NONE,
        PATIENCE,
        TransferListener.SILENT);
  }

  private Path random(int bytes) throws Exception {
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    return Files.write(folder.resolve("sent"), content);
  }

  /** A receiving port that takes coded sessions, or none. */
  private static final class Receiver implements AutoCloseable {
    final ReceivingPort port;
    private final CodedReception sessions;

    Receiver(Path file, boolean coded) throws Exception {
      FileReceiver files =
          new FileReceiver(new OutputTarget(file, true, false), PATIENCE, TransferListener.SILENT);
      port =
          ReceivingPort.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Long.MAX_VALUE, files);
      sessions = new CodedReception(one -> port.begin(one, files));
      if (coded) {
        files.takes(sessions);
        sessions.listenAt(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port.address().port()));
      }
    }

    HostPort address() throws Exception {
      return port.address();
    }

    /** The receiver gets ready for sessions beside its port. */
    ByteConnection awaitSession(CodedDial dial) throws Exception {
      while (true) {
        Optional<ByteConnection> session = dial.dial();
        if (session.isPresent()) {
          return session.get();
        }
      }
    }

    @Override
    public void close() throws Exception {
      port.close();
      sessions.close();
    }
  }
}
