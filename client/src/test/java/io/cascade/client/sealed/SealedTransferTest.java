package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.coded.CodedDial;
import io.cascade.client.transfer.coded.CodedReception;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.ReceiverAccess;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends over real sockets, and what somebody does who has not the code. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SealedTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final HostPort ANYWHERE = new HostPort("127.0.0.1", 7420);

  @TempDir private Path folder;

  private final List<Code> codes = new CopyOnWriteArrayList<>();
  private final List<String> guessers = new CopyOnWriteArrayList<>();

  @Test
  void theRightCodeSealsAFile() throws Exception {
    Path file = random(3 << 20);
    try (ReceivingPort port = receiver(code())) {
      Sent sent = send(file, port, new SealedAccess(Secret.of(codes.getFirst())));

      assertThat(sent.bytes()).isEqualTo(Files.size(file));
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(folder.resolve("in/file")).hasSameBinaryContentAs(file);
    }
  }

  @Test
  void nothingOfAFileIsOnTheWire() throws Exception {
    byte[] text =
        "the quick brown fox ".repeat(5_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    Path file = Files.write(folder.resolve("file"), text);
    try (ReceivingPort port = receiver(code());
        Wire wire = Wire.to(port.address())) {
      send(file, wire.address(), new SealedAccess(Secret.of(codes.getFirst())));

      assertThat(wire.seen()).doesNotContain("quick brown").doesNotContain("file");
      assertThat(wire.seen().length()).isGreaterThan(text.length);
    }
  }

  @Test
  void aWrongGuessVoidsTheCodeForEverybodyAndMakesAnother() throws Exception {
    Path file = random(10_000);
    try (ReceivingPort port = receiver(code())) {
      Code right = codes.getFirst();

      assertThatThrownBy(
              () -> send(file, port, new SealedAccess(Secret.of(new Code(ANYWHERE, "00000000")))))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("refused: wrong code");
      assertThat(guessers).hasSize(1).first().asString().startsWith("127.0.0.1:");
      assertThatThrownBy(() -> send(file, port, new SealedAccess(Secret.of(right))))
          .hasMessageContaining("wrong code");
      assertThat(codes).hasSize(3);

      send(file, port, new SealedAccess(Secret.of(codes.getLast())));
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void aSenderThatHasProvedItselfOutlivesItsCode() throws Exception {
    Path file = random(10_000);
    try (ReceivingPort port = receiver(code())) {
      SealedAccess access = new SealedAccess(Secret.of(codes.getFirst()));
      send(file, port, access);
      assertThatThrownBy(
              () -> send(file, port, new SealedAccess(Secret.of(new Code(ANYWHERE, "00000000")))))
          .hasMessageContaining("wrong code");

      send(random(20_000), port, access);
      assertThat(codes).hasSize(2);
    }
  }

  @Test
  void aWrongKeyVoidsNothing() throws Exception {
    Path file = random(10_000);
    Secret key = Secret.ofKey(new byte[32]);
    try (ReceivingPort port = receiver(key)) {
      assertThatThrownBy(
              () -> send(file, port, new SealedAccess(Secret.ofKey(new byte[] {1, 2, 3}))))
          .hasMessageContaining("wrong key");

      send(file, port, new SealedAccess(key));
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(guessers).isEmpty();
    }
  }

  @Test
  void aSenderInClearIsToldOfTheCode() throws Exception {
    Path file = random(10_000);
    try (ReceivingPort port = receiver(code())) {
      assertThatThrownBy(() -> send(file, port, ReceiverAccess.IN_CLEAR))
          .hasMessageContaining("only with its code")
          .hasMessageContaining("fix: ./cascade send FILE CODE");
      assertThat(codes).hasSize(1);
    }
  }

  @Test
  void aCodeForAReceiverThatIsOpenToAnyoneIsRefused() throws Exception {
    Path file = random(10_000);
    try (ReceivingPort port = listening(new UnsealedReception(files()))) {
      assertThatThrownBy(
              () -> send(file, port, new SealedAccess(Secret.of(new Code(ANYWHERE, "00000000")))))
          .hasMessageContaining("open to anyone");

      send(file, port, ReceiverAccess.IN_CLEAR);
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void aReceiverThatStartedAgainHasToProveItselfOnceMore() throws Exception {
    Secret key = Secret.ofKey(new byte[32]);
    SealedAccess access = new SealedAccess(key);
    try (ReceivingPort port = receiver(key)) {
      send(random(10_000), port, access);
    }
    try (ReceivingPort again = receiver(key)) {
      TcpConnection first = connect(again.address());
      assertThatThrownBy(() -> access.over(first)).isInstanceOf(IOException.class);

      send(random(20_000), again, access);
    }
  }

  @Test
  void strangersWhoSayNothingKeepNobodyOut() throws Exception {
    List<Socket> silent = new java.util.ArrayList<>();
    try (ReceivingPort port = receiver(code())) {
      for (int i = 0; i < 400; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), port.address().port()));
      }
      send(random(10_000), port, new SealedAccess(Secret.of(codes.getFirst())));

      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    } finally {
      for (Socket one : silent) {
        one.close();
      }
    }
  }

  @Test
  void aCodedSessionsKeyIsSealedToo() throws Exception {
    FileReceiver files = files();
    Secret secret = code();
    try (ReceivingPort port =
            listening(new SealedReception(ReceiverIdentity.create(), secret, this::next, files));
        CodedReception sessions = new CodedReception(one -> port.begin(one, files));
        Wire wire = Wire.to(port.address());
        CodedDial dial =
            new CodedDial(
                wire.address(), new SealedAccess(Secret.of(codes.getFirst())), new PathMemory())) {
      files.takes(sessions);
      sessions.listenAt(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.address().port()));
      Optional<ByteConnection> session = dial.dial();
      while (session.isEmpty()) {
        session = dial.dial();
      }

      assertThat(wire.seen()).as("the invitation's answer").doesNotContain("CSCI");
      session.get().close();
    }
  }

  @Test
  void whoeverChangesAByteOfTheExchangeEndsIt() throws Exception {
    Path file = random(10_000);
    Secret key = Secret.ofKey(new byte[32]);
    try (ReceivingPort port = receiver(key)) {
      for (int at = 0; at < 700; at += 53) {
        int changed = at;
        for (boolean side : new boolean[] {true, false}) {
          try (Wire wire =
              Wire.to(
                  port.address(),
                  (fromSender, offset, piece, length) -> {
                    int index = changed - (int) offset;
                    if (fromSender == side && index >= 0 && index < length) {
                      piece[index] ^= 0x10;
                    }
                    return length;
                  })) {
            TcpConnection connection = connect(wire.address());
            Thread.ofVirtual().start(() -> endSoon(connection));
            assertThatThrownBy(
                    () -> {
                      try (FileChannel content = FileChannel.open(file)) {
                        new FileSender(
                                new SealedAccess(key).over(connection),
                                PATIENCE,
                                TransferListener.SILENT)
                            .send(
                                new TransferHeader("file", content.size()), content, Original.NONE);
                      }
                    })
                .as("byte %d from the %s", at, side ? "sender" : "receiver")
                .isInstanceOf(IOException.class);
          }
        }
      }
      assertThat(folder.resolve("in/file")).doesNotExist();
      send(file, port, new SealedAccess(key));
    }
  }

  /** A changed length may leave both ends waiting, up to their deadlines. */
  private static void endSoon(TcpConnection connection) {
    try {
      Thread.sleep(Duration.ofSeconds(1));
      connection.close();
    } catch (IOException | InterruptedException e) {
      // It is over.
    }
  }

  @Test
  void whatIsNoExchangeEndsInARefusalAndVoidsNothing() throws Exception {
    Random random = new Random(7);
    try (ReceivingPort port = receiver(code())) {
      for (int i = 0; i < 60; i++) {
        byte[] noise = new byte[1 + random.nextInt(600)];
        random.nextBytes(noise);
        byte[] begins =
            switch (i % 4) {
              case 0 -> new byte[] {'C', 'S', 'C', 'P', 1, 1, 1, 0x44};
              case 1 -> new byte[] {'C', 'S', 'C', 'P', 1, 3, 0, (byte) 194};
              case 2 -> new byte[] {0x16, 3, 1};
              default -> new byte[0];
            };
        System.arraycopy(begins, 0, noise, 0, Math.min(begins.length, noise.length));
        try (Socket stranger =
            new Socket(InetAddress.getLoopbackAddress(), port.address().port())) {
          stranger.getOutputStream().write(noise);
          stranger.shutdownOutput();
          stranger.setSoTimeout(10_000);
          stranger.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (java.net.SocketException e) {
          // Reset: it was refused with bytes unread.
        }
      }
      assertThat(codes).hasSize(1);
      send(random(10_000), port, new SealedAccess(Secret.of(codes.getFirst())));
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void whatASenderSaidIsNoUseOnceMore() throws Exception {
    Secret key = Secret.ofKey(new byte[32]);
    try (ReceivingPort port = receiver(key)) {
      java.io.ByteArrayOutputStream said = new java.io.ByteArrayOutputStream();
      try (Wire wire =
          Wire.to(
              port.address(),
              (fromSender, _, piece, length) -> {
                if (fromSender) {
                  said.write(piece, 0, length);
                }
                return length;
              })) {
        send(random(10_000), wire.address(), new SealedAccess(key));
      }
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      Files.delete(folder.resolve("in/file"));

      try (Socket again = new Socket(InetAddress.getLoopbackAddress(), port.address().port())) {
        again.getOutputStream().write(said.toByteArray());
        again.shutdownOutput();
        again.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
      } catch (java.net.SocketException e) {
        // Reset.
      }
      assertThat(folder.resolve("in/file")).doesNotExist();
    }
  }

  @Test
  void somebodyWhoPassesTheProofOnAndEndsTlsHimselfIsFound() throws Exception {
    Secret secret = code();
    try (ReceivingPort port = receiver(secret)) {
      // Passes on what is before TLS, and shows a certificate of his own then.
      ReceiverIdentity own = ReceiverIdentity.create();
      try (java.net.ServerSocket between =
          new java.net.ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        Thread.ofVirtual().start(() -> pretend(between, port, own));
        TcpConnection connection = connect(new HostPort("127.0.0.1", between.getLocalPort()));

        assertThatThrownBy(() -> new SealedAccess(secret).over(connection))
            .isInstanceOf(TransferFailed.class)
            .hasMessageContaining("not the intended receiver");
      }
    }
  }

  private static void pretend(
      java.net.ServerSocket between, ReceivingPort port, ReceiverIdentity own) {
    try (Socket sender = between.accept();
        Socket receiver = new Socket(InetAddress.getLoopbackAddress(), port.address().port())) {
      receiver.getOutputStream().write(sender.getInputStream().readNBytes(8 + 324));
      sender.getOutputStream().write(receiver.getInputStream().readNBytes(8 + 486));
      receiver.getOutputStream().write(sender.getInputStream().readNBytes(8 + 194));
      byte[] proof = receiver.getInputStream().readNBytes(8 + 64);
      System.arraycopy(own.fingerprint(), 0, proof, 8, 32);
      sender.getOutputStream().write(proof);
      sender.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The sender went.
    }
  }

  private Secret code() {
    Code code = Code.random(ANYWHERE, new SecureRandom());
    codes.add(code);
    return Secret.of(code);
  }

  private Secret next(String from) {
    guessers.add(from);
    return code();
  }

  private ReceivingPort receiver(Secret secret) throws IOException {
    return listening(new SealedReception(ReceiverIdentity.create(), secret, this::next, files()));
  }

  private static ReceivingPort listening(
      io.cascade.client.transfer.receiver.ConnectionReceiver receiver) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Long.MAX_VALUE, receiver);
  }

  private FileReceiver files() throws IOException {
    Files.createDirectories(folder.resolve("in"));
    return new FileReceiver(
        new OutputTarget(folder.resolve("in"), true, false), PATIENCE, TransferListener.SILENT);
  }

  private static TcpConnection connect(HostPort to) throws IOException {
    return TcpConnection.of(Connections.connect(to, PATIENCE));
  }

  private static Sent send(Path file, ReceivingPort port, ReceiverAccess access)
      throws IOException {
    return send(file, port.address(), access);
  }

  private static Sent send(Path file, HostPort to, ReceiverAccess access) throws IOException {
    try (FileChannel content = FileChannel.open(file)) {
      return new FileSender(access.over(connect(to)), PATIENCE, TransferListener.SILENT)
          .send(new TransferHeader("file", content.size()), content, Original.NONE);
    }
  }

  private Path random(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(folder.resolve("file"), content);
  }
}
