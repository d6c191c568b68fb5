package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.Octets16;
import io.cascade.segments.Reason;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.SharedKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two junctions, over real sockets, and pipes that break. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class JunctionsTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int BYTES = 16 << 20;

  private final BlockingQueue<StreamReport> reports = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
  private final List<AutoCloseable> parts = new ArrayList<>();
  private ServerSocket destination;
  private FarJunction far;
  private InetSocketAddress farBound;

  @BeforeEach
  void start() throws IOException {
    destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    destination.setSoTimeout(30_000);
    parts.add(destination);
    far =
        FarJunction.open(
            ANY,
            key("a secret of two"),
            settings(Scheduler.EARLIEST, Duration.ofSeconds(30)),
            new HostPort("127.0.0.1", destination.getLocalPort()),
            8,
            true,
            listener());
    parts.add(far);
    farBound = far.address();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
  }

  private JunctionListener listener() {
    return new JunctionListener() {
      @Override
      public void note(String line) {
        notes.add(line);
      }

      @Override
      public void over(long stream, StreamReport report) {
        reports.add(report);
      }
    };
  }

  private static SharedKey key(String secret) {
    return new SharedKey((secret + ", and long enough").getBytes(StandardCharsets.UTF_8));
  }

  private static SegmentStream.Settings settings(Scheduler scheduler, Duration patience) {
    return new SegmentStream.Settings(1 << 20, patience.toNanos(), scheduler);
  }

  private HostPort farAddress() throws IOException {
    return new HostPort("127.0.0.1", far.address().getPort());
  }

  private Forwarder forwarder(String name) throws IOException {
    Forwarder forwarder = new Forwarder(name, farAddress());
    parts.add(forwarder);
    return forwarder;
  }

  private IngressJunction ingress(SegmentStream.Settings settings, PipeDialler... routes)
      throws IOException {
    IngressJunction ingress =
        IngressJunction.open(
            ANY, key("a secret of two"), settings, List.of(routes), 8, true, listener());
    parts.add(ingress);
    return ingress;
  }

  private Socket client(SegmentStream.Settings settings, PipeDialler... routes) throws IOException {
    IngressJunction ingress = ingress(settings, routes);
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), ingress.address().getPort());
    parts.add(socket);
    socket.setSoTimeout(30_000);
    return socket;
  }

  @Test
  void whoReadsSlowlyHasTheLastBytesAndTheEndAfterThePipesAreGone() throws Exception {
    Forwarder pipe = forwarder("a");
    IngressJunction ingress = ingress(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), pipe);
    try (Socket client = new Socket()) {
      client.setReceiveBufferSize(4 << 10);
      client.setSoTimeout(30_000);
      client.connect(ingress.address());
      client.shutdownOutput();
      byte[] sent = bytes(1);
      write(destination.accept(), sent);
      InputStream in = client.getInputStream();
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      read.write(in.readNBytes(sent.length / 2));
      while (pipe.connections() > 0) { // Until the ingress junction has taken everything.
        read.write(in.readNBytes(Math.min(in.available(), 4 << 10)));
      }
      read.write(in.readAllBytes());

      assertThat(read.toByteArray()).isEqualTo(sent);
    }
    await().until(() -> reports.size() == 2);
  }

  @ParameterizedTest
  @EnumSource(Scheduler.class)
  void carriesBothDirectionsWholeAndEndsCleanly(Scheduler scheduler) throws Exception {
    Socket client =
        client(
            settings(scheduler, Duration.ofSeconds(30)),
            new DirectPipeDialler(farAddress(), true),
            forwarder("a"),
            forwarder("b"));
    Socket server = destination.accept();
    byte[] there = bytes(1);
    byte[] back = bytes(2);
    CompletableFuture<byte[]> arrivedThere = all(server);
    CompletableFuture<byte[]> arrivedBack = all(client);
    write(client, there);
    write(server, back);
    assertThat(arrivedThere.get()).isEqualTo(there);
    assertThat(arrivedBack.get()).isEqualTo(back);
    for (int i = 0; i < 2; i++) {
      assertThat(reports.take().ending()).isEmpty();
    }
  }

  @Test
  void aStreamSurvivesTheDeathOfEveryPipeInTurn() throws Exception {
    Forwarder a = forwarder("a");
    Forwarder b = forwarder("b");
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), a, b);
    Socket server = destination.accept();
    byte[] there = bytes(3);
    CompletableFuture<byte[]> arrived = all(server);
    CompletableFuture<Void> written =
        CompletableFuture.runAsync(() -> {
          for (int from = 0; from < there.length; from += 1 << 18) {
            (from % (1 << 19) == 0 ? a : b).cut();
            piece(client, there, from, 1 << 18);
          }
        });
    written.get();
    client.shutdownOutput();
    assertThat(arrived.get()).isEqualTo(there);
    server.shutdownOutput();
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    StreamReport first = reports.take();
    assertThat(first.ending()).isEmpty();
    assertThat(first.pipesLost() + reports.take().pipesLost()).isPositive();
  }

  @Test
  void aPipeWhoseRouteLeadsElsewhereIsReplacedBeforeItIsWithdrawn() throws Exception {
    Forwarder before = forwarder("before");
    Forwarder after = forwarder("after");
    Switch route = new Switch(before, after);
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), route);
    Socket server = destination.accept();
    byte[] there = bytes(6);
    CompletableFuture<byte[]> arrived = all(server);
    piece(client, there, 0, BYTES / 2);
    route.turn();
    await().atMost(Duration.ofSeconds(30)).until(() -> after.connections() == 1);
    await().atMost(Duration.ofSeconds(30)).until(() -> before.connections() == 0);
    piece(client, there, BYTES / 2, BYTES / 2);
    client.shutdownOutput();
    assertThat(arrived.get()).isEqualTo(there);
    server.shutdownOutput();
    for (int i = 0; i < 2; i++) {
      StreamReport report = reports.take();
      assertThat(report.ending()).isEmpty();
      assertThat(report.pipesLost()).isZero();
    }
    assertThat(after.copied()).isGreaterThanOrEqualTo(BYTES / 2);
  }

  @Test
  void aDiallerThatFailsUnexpectedlyIsTriedAgain() throws Exception {
    triesAgainAfter(() -> {
      throw new IllegalStateException("not what a dialler should throw");
    });
    assertThat(notes).anyMatch(note -> note.contains("not what a dialler should throw"));
  }

  @Test
  void aPipeIsDialledAgainOnceThereIsMemory() throws Exception {
    triesAgainAfter(() -> {
      throw new OutOfMemoryError("for a moment");
    });
    assertThat(notes).anyMatch(note -> note.contains("OutOfMemoryError: for a moment"));
  }

  private void triesAgainAfter(Runnable failure) throws Exception {
    PipeDialler direct = new DirectPipeDialler(farAddress(), true);
    AtomicInteger failures = new AtomicInteger(3);
    PipeDialler broken =
        new PipeDialler() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public BlockingConnection connect() throws IOException {
            if (failures.getAndDecrement() > 0) {
              failure.run();
            }
            return direct.connect();
          }
        };
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), broken);
    Socket server = destination.accept();
    client.getOutputStream().write(1);
    assertThat(server.getInputStream().read()).isEqualTo(1);
  }

  /** Of that, too, memory may be short. */
  @Test
  void aRefusedConnectionIsClosedAlthoughTellingOfItFails() throws Exception {
    FarJunction untold =
        FarJunction.open(
            ANY,
            key("a secret of two"),
            settings(Scheduler.EARLIEST, Duration.ofSeconds(30)),
            new HostPort("127.0.0.1", destination.getLocalPort()),
            8,
            true,
            new JunctionListener() {
              @Override
              public void note(String line) {
                throw new OutOfMemoryError("for a moment");
              }

              @Override
              public void over(long stream, StreamReport report) {}
            });
    parts.add(untold);
    Octets16 stream = new Octets16(1, 2);
    try (SocketChannel peer = SocketChannel.open(untold.address())) {
      assertThat(frame(peer)).isInstanceOf(Frame.Challenge.class);
      say(peer, new Frame.Introduction(Frame.VERSION - 1, false, stream, 0, stream));
      assertThat(frame(peer)).isInstanceOf(Frame.Refusal.class);

      await().until(() -> isClosedThere(peer));
    }
  }

  /** Whether a byte that is written to it has come back as a reset. */
  private static boolean isClosedThere(SocketChannel peer) {
    try {
      peer.write(ByteBuffer.allocate(1));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** A route that leads elsewhere from a moment on. */
  private static final class Switch implements PipeDialler {
    private final PipeDialler before;
    private final PipeDialler after;
    private volatile boolean turned;

    Switch(PipeDialler before, PipeDialler after) {
      this.before = before;
      this.after = after;
    }

    void turn() {
      turned = true;
    }

    @Override
    public String name() {
      return "switch";
    }

    @Override
    public long route() {
      return turned ? 1 : 0;
    }

    @Override
    public BlockingConnection connect() throws IOException {
      return turned ? after.connect() : before.connect();
    }
  }

  @Test
  void aPipeThatStandsStillHoldsNothingUp() throws Exception {
    Forwarder a = forwarder("a");
    Socket client =
        client(settings(Scheduler.ROUND_ROBIN, Duration.ofSeconds(30)), a, forwarder("b"));
    Socket server = destination.accept();
    byte[] there = bytes(4);
    CompletableFuture<byte[]> arrived = all(server);
    piece(client, there, 0, BYTES / 2);
    a.pause();
    piece(client, there, BYTES / 2, BYTES / 2);
    client.shutdownOutput();
    assertThat(arrived.get()).isEqualTo(there);
  }

  @Test
  void urgentDataKeepsItsPlaceAmongTheOtherBytes() throws Exception {
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), forwarder("a"));
    Socket server = destination.accept();
    server.setSoTimeout(30_000);
    urgent(client);
    urgent(server);
    assertThat(server.getInputStream().readNBytes(5)).asString().isEqualTo("abUcd");
    assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("abUcd");
  }

  private static void urgent(Socket to) throws IOException {
    to.getOutputStream().write("ab".getBytes(StandardCharsets.US_ASCII));
    to.sendUrgentData('U');
    to.getOutputStream().write("cd".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aResetAtOneEndIsAResetAtTheOther() throws Exception {
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), forwarder("a"));
    Socket server = destination.accept();
    piece(client, bytes(5), 0, 100_000);
    assertThat(server.getInputStream().readNBytes(100_000)).hasSize(100_000);
    server.setSoLinger(true, 0);
    server.close();
    assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
  }

  @Test
  void aDestinationThatCannotBeReachedIsAReset() throws Exception {
    destination.close();
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofSeconds(30)), forwarder("a"));
    assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
    assertThat(reports.take().ending()).contains("the destination cannot be connected to");
  }

  @Test
  void withoutAnyPipeTheStreamWaitsAndIsResetInTheEnd() throws Exception {
    Forwarder a = forwarder("a");
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofMillis(300)), a);
    Socket server = destination.accept();
    client.getOutputStream().write(1);
    assertThat(server.getInputStream().read()).isEqualTo(1);
    a.close();
    assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
    assertThat(reports.take().ending()).startsWith("no pipe was left");
  }

  @Test
  void aJunctionThatShutsDownResetsBothEndsAtOnce() throws Exception {
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofHours(1)), forwarder("a"));
    Socket server = destination.accept();
    client.getOutputStream().write(1);
    assertThat(server.getInputStream().read()).isEqualTo(1);
    far.close();
    assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
    assertThatThrownBy(() -> server.getInputStream().read()).hasMessageContaining("reset");
    assertThat(reports.take().ending()).isEqualTo("the junction shuts down");
  }

  @Test
  void aStreamThatTheFarJunctionHasForgottenIsReset() throws Exception {
    Forwarder a = forwarder("a");
    Socket client = client(settings(Scheduler.EARLIEST, Duration.ofHours(1)), a);
    Socket server = destination.accept();
    client.getOutputStream().write(1);
    assertThat(server.getInputStream().read()).isEqualTo(1);
    a.pause(); // So that nothing tells of its end.
    far.close();
    parts.add(
        FarJunction.open(
            farBound,
            key("a secret of two"),
            settings(Scheduler.EARLIEST, Duration.ofSeconds(30)),
            new HostPort("127.0.0.1", destination.getLocalPort()),
            8,
            true,
            listener()));
    a.resume();
    a.cut();
    assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
    assertThat(reports.take().ending()).isNotEmpty();
    assertThat(reports.take().ending()).startsWith("no such stream");
  }

  @Test
  void aPeerOfAnOlderVersionIsRefusedByName() throws Exception {
    Octets16 stream = new Octets16(1, 2);
    try (SocketChannel peer = SocketChannel.open(farBound)) {
      Frame.Challenge challenge = (Frame.Challenge) frame(peer);
      assertThat(challenge.version()).isEqualTo(Frame.VERSION);
      say(peer, new Frame.Introduction(Frame.VERSION - 1, false, stream, 0, stream));
      assertThat(frame(peer))
          .isInstanceOfSatisfying(
              Frame.Refusal.class,
              refusal -> assertThat(refusal.reason()).isEqualTo(Reason.VERSION));
    }
    await().until(() -> far.refused() == 1);
  }

  @Test
  void anIntroductionThatWasRecordedIsRefusedByNameOnAnotherConnection() throws Exception {
    Octets16 stream = new Octets16(3, 4);
    Frame.Introduction recorded;
    try (SocketChannel peer = SocketChannel.open(farBound)) {
      Octets16 nonce = ((Frame.Challenge) frame(peer)).nonce();
      recorded =
          new Frame.Introduction(
              Frame.VERSION,
              false,
              stream,
              0,
              key("a secret of two").introduction(false, stream, 0, nonce));
      say(peer, recorded);
      assertThat(frame(peer)).isInstanceOf(Frame.Acceptance.class);
    }
    try (SocketChannel replaying = SocketChannel.open(farBound)) {
      assertThat(frame(replaying)).isInstanceOf(Frame.Challenge.class);
      say(replaying, recorded);
      assertThat(frame(replaying))
          .isInstanceOfSatisfying(
              Frame.Refusal.class,
              refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORGED));
    }
    await().until(() -> far.refused() == 1);
  }

  private static void say(SocketChannel to, Frame frame) throws IOException {
    ByteBuffer head = FrameCodec.head(frame);
    while (head.hasRemaining()) {
      to.write(head);
    }
  }

  private static Frame frame(SocketChannel from) throws Exception {
    ByteBuffer in = ByteBuffer.allocate(FrameCodec.MOST_FRAME);
    while (from.read(in) >= 0) {
      ByteBuffer view = in.duplicate().flip();
      Frame frame = FrameCodec.parse(view);
      if (frame != null) {
        return frame;
      }
    }
    throw new IOException("the peer said nothing");
  }

  @Test
  void anotherKeyIsRefusedByName() throws Exception {
    IngressJunction ingress =
        IngressJunction.open(
            ANY,
            key("another secret"),
            settings(Scheduler.EARLIEST, Duration.ofHours(1)),
            List.of(new DirectPipeDialler(farAddress(), true), forwarder("a")),
            8,
            true,
            listener());
    parts.add(ingress);
    try (Socket client =
        new Socket(InetAddress.getLoopbackAddress(), ingress.address().getPort())) {
      client.setSoTimeout(30_000);
      assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
    }
    assertThat(far.refused()).isPositive();
    assertThat(notes.take()).contains("the authenticator does not match");
    assertThat(reports.take().ending()).startsWith("the authenticator does not match");
  }

  private static byte[] bytes(long seed) {
    byte[] bytes = new byte[BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static CompletableFuture<byte[]> all(Socket from) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return from.getInputStream().readAllBytes();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        Thread::startVirtualThread);
  }

  private static void write(Socket to, byte[] bytes) {
    Thread.startVirtualThread(() -> {
      piece(to, bytes, 0, bytes.length);
      try {
        to.shutdownOutput();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    });
  }

  private static void piece(Socket to, byte[] bytes, int from, int length) {
    try {
      to.getOutputStream().write(bytes, from, length);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
