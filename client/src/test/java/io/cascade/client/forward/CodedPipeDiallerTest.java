package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.coded.SessionDial;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.SharedKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two junctions between which a coded session carries, over real sockets. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class CodedPipeDiallerTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final SharedKey KEY = key("a secret of two");
  private static final int BYTES = 8 << 20;

  /** A round trip on which coding pays. */
  private static final long LONG_MICROS = 20_000;

  private final BlockingQueue<StreamReport> reports = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
  private final List<AutoCloseable> parts = new ArrayList<>();
  private ServerSocket destination;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(SessionDial.isAvailable(), "SKIPPED: coded sessions need epoll");
    destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    destination.setSoTimeout(30_000);
    parts.add(destination);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
  }

  @Test
  void carriesBothDirectionsWholeAndEndsCleanly() throws Exception {
    DirectPipeDialler lossy = lossyPath(far(ANY));
    Socket client = client(coded(lossy, KEY));
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
  void joinsRunningStreamsOnceTheirPathLosesPackets() throws Exception {
    DirectPipeDialler direct = new DirectPipeDialler(at(far(ANY)), true);
    Socket client = client(direct, coded(direct, KEY));
    Socket server = destination.accept();
    client.getOutputStream().write(1);
    assertThat(server.getInputStream().read()).isEqualTo(1);
    assertThat(notes).isEmpty();

    direct.losesPackets(LONG_MICROS);

    await().until(() -> notes.stream().anyMatch(note -> note.contains("is used beside TCP")));
  }

  @Test
  void isNotDialledOnAPathWithoutLossesOrWithinALocalNetwork() throws Exception {
    DirectPipeDialler direct = new DirectPipeDialler(at(far(ANY)), true);
    direct.connect().reset();
    CodedPipeDialler coded = coded(direct, KEY);
    assertThatThrownBy(coded::connect).isInstanceOf(PipeDialler.Unavailable.class);

    direct.losesPackets(200);

    assertThatThrownBy(coded::connect).isInstanceOf(PipeDialler.Unavailable.class);
  }

  @Test
  void whereUdpDoesNotComeThroughTcpCarries() throws Exception {
    try (DatagramChannel taken = DatagramChannel.open()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      FarJunction far = far((InetSocketAddress) taken.getLocalAddress());
      DirectPipeDialler lossy = lossyPath(far);
      Socket client = client(lossy, coded(lossy, KEY));
      Socket server = destination.accept();
      byte[] there = bytes(3);
      CompletableFuture<byte[]> arrived = all(server);
      write(client, there);

      assertThat(arrived.get()).isEqualTo(there);
    }
    assertThat(notes).anyMatch(note -> note.contains("pipes use TCP only"));
  }

  @Test
  void whoHasAnotherKeyGetsNoSession() throws Exception {
    DirectPipeDialler lossy = lossyPath(far(ANY));
    CodedPipeDialler stranger = coded(lossy, key("another secret"));

    assertThatThrownBy(stranger::connect).isInstanceOf(PipeDialler.Unavailable.class);

    assertThat(notes).anyMatch(note -> note.contains("only TCP is used"));
  }

  @Test
  void aStreamThatIsRefusedOverTcpWaitsForNoSession() throws Exception {
    DirectPipeDialler direct = new DirectPipeDialler(at(far(ANY)), true);
    SharedKey other = key("another secret");
    IngressJunction ingress =
        IngressJunction.open(
            ANY, other, settings(), List.of(direct, coded(direct, other)), 8, true, listener());
    parts.add(ingress);
    try (Socket client =
        new Socket(InetAddress.getLoopbackAddress(), ingress.address().getPort())) {
      assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
    }
  }

  private FarJunction far(InetSocketAddress at) throws IOException {
    FarJunction far =
        FarJunction.open(
            at,
            KEY,
            settings(),
            new HostPort("127.0.0.1", destination.getLocalPort()),
            8,
            true,
            listener());
    parts.add(far);
    return far;
  }

  private static HostPort at(FarJunction far) throws IOException {
    return new HostPort("127.0.0.1", far.address().getPort());
  }

  private static DirectPipeDialler lossyPath(FarJunction far) throws IOException {
    DirectPipeDialler direct = new DirectPipeDialler(at(far), true);
    direct.connect().reset();
    direct.losesPackets(LONG_MICROS);
    return direct;
  }

  private CodedPipeDialler coded(DirectPipeDialler beside, SharedKey key) {
    CodedPipeDialler coded = new CodedPipeDialler(beside, key, notes::add);
    parts.add(coded::ended);
    return coded;
  }

  private Socket client(PipeDialler... routes) throws IOException {
    IngressJunction ingress =
        IngressJunction.open(ANY, KEY, settings(), List.of(routes), 8, true, listener());
    parts.add(ingress);
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), ingress.address().getPort());
    parts.add(socket);
    socket.setSoTimeout(30_000);
    return socket;
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

  private static SegmentStream.Settings settings() {
    return new SegmentStream.Settings(
        1 << 20, Duration.ofSeconds(30).toNanos(), Scheduler.EARLIEST);
  }

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static CompletableFuture<byte[]> all(Socket from) {
    CompletableFuture<byte[]> all = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        all.complete(from.getInputStream().readAllBytes());
      } catch (IOException e) {
        all.completeExceptionally(e);
      }
    });
    return all;
  }

  private static void write(Socket to, byte[] bytes) {
    Thread.startVirtualThread(() -> {
      try {
        to.getOutputStream().write(bytes);
        to.shutdownOutput();
      } catch (IOException e) {
        // The other end tells.
      }
    });
  }
}
