package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.client.throughput.PathTest;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.RawReceiver;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.FileKind;
import io.cascade.testing.ReservedPort;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends over real sockets: what arrives whole, and what must not seem to. */
@Timeout(60)
class TransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4095, 1 << 20, (1 << 20) + 1, 7_654_321})
  void carriesFilesOfEverySize(int size) throws Exception {
    byte[] content = random(size);
    try (ReceivingPort port = port(folder, false)) {
      Sent sent = send(port, new TransferHeader("file.bin", size), channel(content));

      Received received = ((Outcome.Arrived) port.next()).received();
      assertThat(received.file()).isEqualTo(folder.resolve("file.bin")).hasBinaryContent(content);
      assertThat(received.sha256()).isEqualTo(sent.sha256());
      assertThat(sent.sha256().toString()).isEqualTo(sha256(content));
      assertThat(sent.bytes()).isEqualTo(size);
      assertThat(sent.wireBytes()).isGreaterThan(size);
      assertThat(files()).containsExactly("file.bin");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3_000_000})
  void carriesWhatHasNoKnownSize(int size) throws Exception {
    byte[] content = random(size);
    try (ReceivingPort port = port(folder, false)) {
      send(port, new TransferHeader("stdin", TransferHeader.UNKNOWN_SIZE), channel(content));

      assertThat(((Outcome.Arrived) port.next()).received().file()).hasBinaryContent(content);
    }
  }

  @Test
  void sendsAFileThatGrowsAsItWasAnnounced() throws Exception {
    byte[] content = random(2_000_000);
    try (ReceivingPort port = port(folder, false)) {
      Sent sent = send(port, new TransferHeader("log", 1_500_000), channel(content));

      assertThat(sent.bytes()).isEqualTo(1_500_000);
      assertThat(((Outcome.Arrived) port.next()).received().file())
          .hasBinaryContent(Arrays.copyOf(content, 1_500_000));
    }
  }

  @Test
  void aFileThatShrinksIsReportedAtBothEnds() throws Exception {
    try (ReceivingPort port = port(folder, false)) {
      assertThatThrownBy(() -> send(port, new TransferHeader("log", 5_000), channel(random(1_234))))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("log became shorter while it was sent: 1234 of 5000 bytes");

      assertThat(((Outcome.Broken) port.next()).reason())
          .contains("the sender gave up: log became shorter");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void aResetLeavesNoFileAndSaysHowFarItCame() throws Exception {
    byte[] content = random(1_000_000);
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", 5_000_000));
      socket.getOutputStream().write(block(content));
      socket.getOutputStream().write(new byte[] {0, 0, 4, 0, 1, 2, 3});
      socket.setSoLinger(true, 0);
      socket.close();

      assertThat(((Outcome.Broken) port.next()).reason())
          .startsWith("movie: the connection broke (")
          .contains(") after ", " of 5000000 bytes")
          .endsWith("nothing was kept");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void aFinBeforeTheMarkedEndLeavesNoFile() throws Exception {
    byte[] content = random(1_000_000);
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", content.length));
      socket.getOutputStream().write(block(content)); // Everything, but for the end.
      socket.shutdownOutput();

      assertThat(answer(socket)).contains("ended after 1000000 of 1000000 bytes");
      assertThat(((Outcome.Broken) port.next()).reason()).contains("the connection was ended");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void anEndBeforeTheAnnouncedSizeLeavesNoFile() throws Exception {
    byte[] content = random(1_000);
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", 2_000));
      socket.getOutputStream().write(block(content));
      socket.getOutputStream().write(trailer(1_000, content));

      assertThat(answer(socket)).contains("1000 of 2000 bytes arrived");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void aDamagedByteLeavesNoFile() throws Exception {
    byte[] content = random(100_000);
    byte[] damaged = content.clone();
    damaged[54_321] ^= 1;
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", content.length));
      socket.getOutputStream().write(block(damaged));
      socket.getOutputStream().write(trailer(content.length, content));

      assertThat(answer(socket)).contains("damaged on the way").contains(sha256(content));
      socket.close();
      assertThat(((Outcome.Broken) port.next()).reason()).contains("damaged on the way");
      assertThat(files()).isEmpty();
    }
  }

  /** Else a close would reset it, and a relay between might not pass the answer on. */
  @Test
  void aReceiverKeepsTheConnectionUntilItsSenderHasEndedIt() throws Exception {
    byte[] content = random(1_000);
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", content.length));
      socket.getOutputStream().write(block(content));
      socket.getOutputStream().write(trailer(content.length, content));
      assertThat(end(socket)).as("its answer, and its end").isPositive();

      for (int i = 0; i < 20; i++) {
        socket.getOutputStream().write(i);
      }
      socket.close();
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void aBlockLongerThanAnySenderMakesIsRefusedUnread() throws Exception {
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", 10));
      socket.getOutputStream().write(ByteBuffer.allocate(4).putInt(Block.MAX_BYTES + 1).array());

      assertThat(answer(socket)).contains("a block of 1048577 bytes");
    }
  }

  @Test
  void moreThanAnnouncedIsRefused() throws Exception {
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("movie", 10));
      socket.getOutputStream().write(block(random(11)));

      assertThat(answer(socket)).contains("more bytes than the 10 announced");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void anExistingFileStaysAndTheSenderHearsWhyBeforeItHasSentEverything() throws Exception {
    Files.writeString(folder.resolve("file.bin"), "precious");
    try (ReceivingPort port = port(folder, false);
        ReadableByteChannel endless = endless()) {
      TransferHeader header = new TransferHeader("file.bin", TransferHeader.UNKNOWN_SIZE);
      assertThatThrownBy(() -> send(port, header, endless))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("the receiver refused")
          .hasMessageContaining("exists already")
          .hasMessageContaining("--overwrite");

      assertThat(folder.resolve("file.bin")).hasContent("precious");
      assertThat(files()).containsExactly("file.bin");
    }
  }

  @Test
  void anExistingFileGivesWayWhereThatIsAllowed() throws Exception {
    Files.writeString(folder.resolve("file.bin"), "old");
    try (ReceivingPort port = port(folder, true)) {
      send(port, new TransferHeader("file.bin", 3), channel(new byte[] {'n', 'e', 'w'}));

      assertThat(((Outcome.Arrived) port.next()).received().file()).hasContent("new");
    }
  }

  @Test
  void aNamedPipeIsNotReplaced() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertNotReplaced(pipe, "a device or a named pipe, not a file; fix: --output");
  }

  @Test
  void aLinkIsNotReplaced() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/hostname"));

    assertNotReplaced(link, "a symbolic link, not a file");
    assertThat(link).isSymbolicLink();
  }

  private void assertNotReplaced(Path target, String why) throws Exception {
    try (ReceivingPort port = port(target, true)) {
      assertThatThrownBy(() ->
              send(port, new TransferHeader("file.bin", 3), channel(new byte[] {'n', 'e', 'w'})))
          .hasMessageContaining(why);
      assertThat(FileKind.at(target)).isNotIn(FileKind.REGULAR, FileKind.ABSENT);
    }
  }

  @Test
  void aFailedReplacementLeavesTheOldFile() throws Exception {
    Files.writeString(folder.resolve("file.bin"), "old");
    try (ReceivingPort port = port(folder, true);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("file.bin", 10));
      socket.shutdownOutput();

      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      assertThat(folder.resolve("file.bin")).hasContent("old");
      assertThat(files()).containsExactly("file.bin");
    }
  }

  @Test
  void whatAKilledReceiverLeftIsReplaced() throws Exception {
    Files.write(folder.resolve(".file.bin.cascade-part"), random(100));
    try (ReceivingPort port = port(folder, false)) {
      send(port, new TransferHeader("file.bin", 3), channel(new byte[] {'n', 'e', 'w'}));

      assertThat(((Outcome.Arrived) port.next()).received().file()).hasContent("new");
      assertThat(files()).containsExactly("file.bin");
    }
  }

  @Test
  void aFileOfTheReceiversOwnerThatIsCalledPartStays() throws Exception {
    Files.writeString(folder.resolve("film.part"), "mine");
    try (ReceivingPort port = port(folder, false)) {
      send(port, new TransferHeader("film", 3), channel(new byte[] {'n', 'e', 'w'}));

      assertThat(((Outcome.Arrived) port.next()).received().file()).hasContent("new");
      assertThat(folder.resolve("film.part")).hasContent("mine");
    }
  }

  @Test
  void aFileThatCannotFitIsRefusedBeforeItsFirstByte() throws Exception {
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header("file.bin", Long.MAX_VALUE));
      socket.shutdownOutput();

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("no room for " + Long.MAX_VALUE + " bytes", "are missing", "fix");
      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void twoSendersOfTheSameNameDoNotMix() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    TransferListener listener =
        new TransferListener() {
          @Override
          public void started(TransferHeader header) {
            started.countDown();
          }
        };
    FileReceiver receiver =
        new FileReceiver(new OutputTarget(folder, false, false), PATIENCE, listener);
    try (ReceivingPort port = ReceivingPort.open(loopback(), Long.MAX_VALUE, receiver);
        Socket first = connect(port)) {
      first.getOutputStream().write(header("file.bin", 3));
      started.await();

      assertThatThrownBy(() -> send(port, new TransferHeader("file.bin", 3), channel(random(3))))
          .hasMessageContaining("is arriving from another sender");

      first.getOutputStream().write(block(new byte[] {'o', 'n', 'e'}));
      first.getOutputStream().write(trailer(3, new byte[] {'o', 'n', 'e'}));
      assertThat(List.of(port.next(), port.next()))
          .hasOnlyElementsOfTypes(Outcome.Arrived.class, Outcome.Broken.class)
          .hasAtLeastOneElementOfType(Outcome.Broken.class);
      assertThat(folder.resolve("file.bin")).hasContent("one");
    }
  }

  /**
   * Its host may be gone, or its packets be lost again and again: who sends anew is not held up.
   */
  @Test
  void aTransferThatStandsStillGivesWayToOneOfTheSameFile() throws Exception {
    FileReceiver receiver =
        new FileReceiver(
            new OutputTarget(folder, false, false),
            PATIENCE,
            Duration.ofMillis(300),
            new TransferListener() {});
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver);
        Socket first = connect(port)) {
      first.getOutputStream().write(header("file.bin", 6));
      first.getOutputStream().write(block(new byte[] {'o', 'n', 'e'}));

      sendOnceItIsTaken(port, new byte[] {'n', 'e', 'w'});

      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(folder.resolve("file.bin")).hasContent("new");
      heard(first); // Comes to its end: the connection was closed.
    }
  }

  private static void sendOnceItIsTaken(ReceivingPort port, byte[] content) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        send(port, new TransferHeader("file.bin", content.length), channel(content));
        return;
      } catch (TransferFailed e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../escape",
        "/etc/escape",
        "a/../escape",
        "esc\u0000ape",
        "",
        ".",
        "..",
        "a\nb",
        "a\tb",
        "\u001b[2J",
        "a\u202eb",
        "a\u2066b",
        "a\u2028b",
        ".x.cascade-part",
        "x.cascade-journal",
        ".x.cascade-entry"
      })
  void namesThatAreNoneOfAFileAreRefusedAndTheNextFileArrives(String name) throws Exception {
    Path inner = Files.createDirectories(folder.resolve("a/b"));
    try (ReceivingPort port = port(inner, false)) {
      assertThatThrownBy(() -> send(port, new TransferHeader(name, 1), channel(new byte[1])))
          .hasMessageContaining("the name '")
          .hasMessageContaining("fix: send --name NAME");

      send(port, new TransferHeader("next", 1), channel(new byte[1]));
      assertThat(((Outcome.Arrived) port.next()).received().file())
          .isEqualTo(inner.resolve("next"));
      assertThat(inner.toFile().list()).containsExactly("next");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\ud83d\udc69\u200d\ud83d\udcbb",
        "a\\..\\b",
        ".part",
        ".bashrc",
        " ",
        "-rf",
        "...",
        "a b\u00a0c"
      })
  void namesArriveAsTheyAre(String name) throws Exception {
    try (ReceivingPort port = port(folder, false)) {
      send(port, new TransferHeader(name, 1), channel(new byte[1]));

      assertThat(((Outcome.Arrived) port.next()).received().file()).isEqualTo(folder.resolve(name));
      assertThat(folder.toFile().list()).containsExactly(name);
    }
  }

  @Test
  void namesOfTheMostBytesArriveAndLongerOnesAreRefused() throws Exception {
    String longest = "ä".repeat(127) + "x";
    try (ReceivingPort port = port(folder, false)) {
      send(port, new TransferHeader(longest, 1), channel(new byte[1]));
      assertThat(folder.toFile().list()).containsExactly(longest);

      assertThatThrownBy(
              () -> send(port, new TransferHeader(longest + "x", 1), channel(new byte[1])))
          .hasMessageContaining("has 256 bytes (expected: at most 255)");
    }
  }

  @Test
  void strangersAreIgnoredAndCounted() throws Exception {
    try (ReceivingPort port = port(folder, false)) {
      for (String greeting : List.of("", "x", "GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
        try (Socket socket = connect(port)) {
          socket.getOutputStream().write(greeting.getBytes(StandardCharsets.US_ASCII));
          socket.shutdownOutput();
          assertThat(heard(socket)).as("a stranger hears nothing").isZero();
        }
      }
      try (Socket reset = connect(port)) {
        reset.setSoLinger(true, 0);
      }
      try (Socket silent = connect(port)) {
        send(port, new TransferHeader("file.bin", 3), channel(new byte[3]));

        assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
        assertThat(port.ignored()).isBetween(3L, 4L); // The reset may have come before accept.
        assertThat(silent.isConnected()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(bytes = {3, 5})
  void headersOfAnotherVersionAreNamed(byte version) throws Exception {
    byte[] header = Arrays.copyOf(header("movie", 10), TransferHeader.VERSION_BYTES);
    header[8] = version;
    List<Outcome.Refused> refused = new CopyOnWriteArrayList<>();
    try (ReceivingPort port = port(folder, false)) {
      port.tellRefusals(refused::add);
      try (Socket socket = connect(port)) {
        socket.getOutputStream().write(header);

        assertThat(answer(socket))
            .contains("version " + version)
            .contains("use the same version of Cascade");
      }
      await().until(() -> refused.size() == 1);
      assertThat(refused.getFirst().reason()).contains("version " + version);
      assertThat(refused.getFirst().from()).startsWith("127.0.0.1:");
    }
  }

  @Test
  void aNameThatNoFileMayHaveIsRefusedAndTold() throws Exception {
    List<Outcome.Refused> refused = new CopyOnWriteArrayList<>();
    try (ReceivingPort port = port(folder, false)) {
      port.tellRefusals(refused::add);
      try (Socket socket = connect(port)) {
        socket.getOutputStream().write(header("..", 10));

        assertThat(answer(socket)).isNotEmpty();
      }
      await().until(() -> refused.size() == 1);
      assertThat(refused.getFirst().name()).isEqualTo("..");
    }
  }

  @Test
  void namesLongerThanTheProtocolAllowsAreRefusedUnread() throws Exception {
    byte[] header = header("movie", 10);
    header[10] = 0x7f;
    try (ReceivingPort port = port(folder, false);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header);

      assertThat(answer(socket)).contains("expected: at most 1024");
    }
  }

  @Test
  void aTestOfThePathLeavesNothingAndTakesNoPlace() throws Exception {
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver(folder, false))) {
      Carried share =
          PathTest.run(Connections.connect(port.address(), PATIENCE), Duration.ofMillis(200));

      assertThat(share.bytes()).isPositive();
      assertThat(share.bitsPerSecond()).isPositive();
      assertThat(files()).isEmpty();
      send(port, new TransferHeader("one", 1), channel(new byte[1]));
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(port.ignored()).isZero();
    }
  }

  @Test
  void aTestEndsWhereTheReceiverTakesNoMore() throws Exception {
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver(folder, false))) {
      Carried share =
          PathTest.run(Connections.connect(port.address(), PATIENCE), Duration.ofDays(1));

      assertThat(share.bytes()).isEqualTo(TransferHeader.MOST_TEST_BYTES);
    }
  }

  /** As where relays' buffers hold more than the path carries. */
  @Test
  void aTestDropsWhatIsUnderWayWhenItsTimeIsOver() throws Exception {
    try (ServerSocket receiver = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> confirmOneBlock(receiver));
      HostPort address = new HostPort("127.0.0.1", receiver.getLocalPort());

      Carried share = PathTest.run(Connections.connect(address, PATIENCE), Duration.ofMillis(500));

      assertThat(share.bytes()).isPositive();
    }
  }

  /** Takes no more after that, and never ends. */
  @SuppressWarnings("resource") // As long as the test.
  private static void confirmOneBlock(ServerSocket receiver) {
    try {
      Socket socket = receiver.accept();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readFully(new byte[TransferHeader.ofTest().encode().remaining()]);
      int length = in.readInt();
      long offset = in.readLong();
      in.readFully(new byte[length]);
      socket.getOutputStream().write(new Receipt(offset, length).encode().array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTestOfMoreThanTheReceiverTakesIsCutOff() throws Exception {
    byte[] header = TransferHeader.ofTest().encode().array();
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver(folder, false));
        Socket socket = connect(port)) {
      socket.getOutputStream().write(header);
      socket.getOutputStream().write(new byte[] {0x7f, 0, 0, 0});

      assertThat(heard(socket)).as("neither a receipt nor an answer").isZero();
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void onlyAsManyAsArePlacesAreAdmitted() throws Exception {
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver(folder, false))) {
      send(port, new TransferHeader("one", 1), channel(new byte[1]));
      assertThatThrownBy(() -> send(port, new TransferHeader("two", 1), channel(new byte[1])))
          .hasMessageContaining("accepts one file")
          .hasMessageContaining("--keep");
      assertThat(files()).containsExactly("one");
    }
  }

  @Test
  void aReceiverThatFallsSilentIsGivenUp() throws Exception {
    try (var mute = new ServerSocket(0)) {
      SocketChannel connection =
          SocketChannel.open(new InetSocketAddress("127.0.0.1", mute.getLocalPort()));
      FileSender sender =
          new FileSender(
              TcpConnection.of(connection), Duration.ofMillis(50), TransferListener.SILENT);

      assertThatThrownBy(
              () -> sender.send(new TransferHeader("f", 1), channel(new byte[1]), Original.NONE))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("not confirmed: no byte moved for");
    }
  }

  @Test
  void anEndWithoutAnAnswerIsNoSuccess() throws Exception {
    assertThatThrownBy(() -> sendTo(peer -> end(peer), 1))
        .isInstanceOf(TransferFailed.class)
        .hasMessageContaining("not confirmed: the connection was ended before");
  }

  /** The kernel tells a reset to one of the two threads, and an end to the other. */
  @RepeatedTest(20)
  void aResetIsNoEnd() throws Exception {
    failsWhereThePeerResets(50_000_000);
  }

  @RepeatedTest(50)
  void aResetIsNoEndWhileTheLastBlockIsWritten() throws Exception {
    failsWhereThePeerResets(400_000);
  }

  private static void failsWhereThePeerResets(int bytes) {
    assertThatThrownBy(() ->
            sendTo(
                peer -> {
                  peer.getInputStream().readNBytes(100_000);
                  peer.setSoLinger(true, 0);
                },
                bytes))
        .isInstanceOf(TransferFailed.class)
        .hasMessageContaining("the connection broke");
  }

  @Test
  void somethingElseThatAnswersIsNamed() throws Exception {
    assertThatThrownBy(() ->
            sendTo(
                peer -> {
                  peer.getOutputStream()
                      .write(
                          "HTTP/1.1 400 Bad Request\r\n"
                              .repeat(4)
                              .getBytes(StandardCharsets.US_ASCII));
                  peer.shutdownOutput();
                  end(peer);
                },
                1))
        .hasMessageContaining("not a ./cascade receive; fix: send with --raw");
  }

  /** What a peer that is no receiver does with the connection, which it closes then. */
  @FunctionalInterface
  private interface OtherPeer {
    void serve(Socket connection) throws IOException;
  }

  private static void sendTo(OtherPeer other, int bytes) throws Exception {
    try (var server = new ServerSocket(0)) {
      Thread.ofVirtual()
          .start(() -> {
            try (Socket connection = server.accept()) {
              other.serve(connection);
            } catch (IOException e) {
              // The sender's own report is what is looked at.
            }
          });
      SocketChannel connection =
          SocketChannel.open(new InetSocketAddress("127.0.0.1", server.getLocalPort()));
      new FileSender(TcpConnection.of(connection), PATIENCE, TransferListener.SILENT)
          .send(new TransferHeader("f", bytes), channel(new byte[bytes]), Original.NONE);
    }
  }

  @Test
  void refusedConnectionsAreNamed() throws Exception {
    int free = ReservedPort.untilTheEnd();
    assertThatThrownBy(
            () -> Connections.connect(new HostPort("127.0.0.1", free), Duration.ofSeconds(5)))
        .isInstanceOf(TransferFailed.class)
        .hasMessage("cannot connect to 127.0.0.1:" + free + ": connection refused");
    assertThatThrownBy(
            () -> Connections.connect(new HostPort("no.such.invalid", 1), Duration.ofSeconds(5)))
        .hasMessage("cannot connect to no.such.invalid:1: no such host");
  }

  @Test
  void rawBytesArriveAsTheyAre() throws Exception {
    byte[] content = random(3_000_000);
    Path file = folder.resolve("raw.bin");
    RawReceiver receiver =
        new RawReceiver(new OutputTarget(file, false, false), PATIENCE, TransferListener.SILENT);
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver)) {
      List<Long> told = new ArrayList<>();
      TransferListener listener =
          new TransferListener() {
            @Override
            public void moved(long bytes) {
              told.add(bytes);
            }
          };
      Sent sent =
          new RawSender(
                  TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
                  PATIENCE,
                  listener,
                  RateLimit.NONE)
              .send(new TransferHeader("raw", content.length), channel(content));

      assertThat(sent.wireBytes()).isEqualTo(content.length);
      assertThat(told).isSorted().endsWith((long) content.length);
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(file).hasBinaryContent(content);
    }
  }

  @Test
  void contentThatCannotBeReadIsNotTakenForABrokenConnection() throws Exception {
    try (ReceivingPort port =
            ReceivingPort.open(
                loopback(),
                1,
                new RawReceiver(
                    new OutputTarget(folder.resolve("raw.bin"), false, false),
                    PATIENCE,
                    TransferListener.SILENT));
        ReadableByteChannel closed = channel(new byte[1])) {
      closed.close();
      RawSender sender =
          new RawSender(
              TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
              PATIENCE,
              TransferListener.SILENT,
              RateLimit.NONE);

      assertThatThrownBy(() -> sender.send(new TransferHeader("raw", 1), closed))
          .isInstanceOf(TransferFailed.class)
          .hasMessageStartingWith("cannot read raw: ");
    }
  }

  @Test
  void aRawConnectionThatIsResetLeavesNoFile() throws Exception {
    Path file = folder.resolve("raw.bin");
    CountDownLatch moved = new CountDownLatch(1);
    TransferListener listener =
        new TransferListener() {
          @Override
          public void moved(long bytes) {
            moved.countDown();
          }
        };
    RawReceiver receiver =
        new RawReceiver(new OutputTarget(file, false, false), PATIENCE, listener);
    try (ReceivingPort port = ReceivingPort.open(loopback(), 1, receiver);
        Socket socket = connect(port)) {
      socket.getOutputStream().write(new byte[1_000]);
      moved.await();
      socket.setSoLinger(true, 0);
      socket.close();

      assertThat(((Outcome.Broken) port.next()).reason())
          .startsWith("the connection broke (")
          .contains(") after 1000 bytes");
      assertThat(files()).isEmpty();
    }
  }

  @Test
  void oneFileIsReadFromWhereverItIs() throws Exception {
    Path source = Files.write(folder.resolve("source"), random(10_000));
    Path into = Files.createDirectory(folder.resolve("into"));
    try (ReceivingPort port = port(into, false);
        FileChannel content = FileChannel.open(source)) {
      send(port, new TransferHeader("copy", content.size()), content);

      assertThat(into.resolve("copy")).hasSameBinaryContentAs(source);
    }
  }

  private ReceivingPort port(Path into, boolean overwrite) throws IOException {
    return ReceivingPort.open(loopback(), Long.MAX_VALUE, receiver(into, overwrite));
  }

  private static FileReceiver receiver(Path into, boolean overwrite) {
    return new FileReceiver(
        new OutputTarget(into, overwrite, false), PATIENCE, TransferListener.SILENT);
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress("127.0.0.1", 0);
  }

  private static Sent send(ReceivingPort port, TransferHeader header, ReadableByteChannel content)
      throws IOException {
    return new FileSender(
            TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
            PATIENCE,
            TransferListener.SILENT)
        .send(header, content, Original.NONE);
  }

  private static Socket connect(ReceivingPort port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port.address().port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static ReadableByteChannel channel(byte[] content) {
    return Channels.newChannel(new java.io.ByteArrayInputStream(content));
  }

  private static ReadableByteChannel endless() {
    return Channels.newChannel(
        new InputStream() {
          @Override
          public int read() {
            return 1;
          }

          @Override
          public int read(byte[] into, int from, int length) {
            return length;
          }
        });
  }

  private static byte[] header(String name, long size) {
    return new TransferHeader(name, size).encode().array();
  }

  private static byte[] block(byte[] content) {
    return ByteBuffer.allocate(Block.PREFIX_BYTES + content.length)
        .putInt(content.length)
        .putLong(0)
        .put(content)
        .array();
  }

  private static byte[] trailer(long bytes, byte[] content) throws Exception {
    return ByteBuffer.allocate(Block.TRAILER_BYTES)
        .putInt(0)
        .putLong(bytes)
        .put(MessageDigest.getInstance("SHA-256").digest(content))
        .array();
  }

  /** The reason in the receiver's refusal. */
  private static String answer(Socket socket) throws IOException {
    ReadableByteChannel replies = Channels.newChannel(socket.getInputStream());
    Reply reply = Reply.read(replies);
    while (reply instanceof Receipt) {
      reply = Reply.read(replies);
    }
    FinalReply answer = (FinalReply) reply;
    assertThat(answer.accepted()).isFalse();
    return answer.reason();
  }

  /** Reads to the end and says how much there was. */
  private static long end(Socket socket) throws IOException {
    return socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
  }

  /** {@link #end}, but a reset is an end too. */
  private static long heard(Socket socket) {
    try {
      return end(socket);
    } catch (IOException e) {
      return 0;
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static byte[] random(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  private static String sha256(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }
}
