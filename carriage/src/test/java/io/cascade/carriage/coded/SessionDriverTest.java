package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CloseReason;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SendingState;
import io.cascade.coding.session.SessionSettings;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SessionDriverTest {
  private static final int WINDOW = 1_024;
  private static final long HOUR = 3_600_000_000_000L;
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @SuppressWarnings("NullAway.Init")
  private static MultiThreadIoEventLoopGroup loops;

  @BeforeAll
  static void startLoops() {
    loops = new MultiThreadIoEventLoopGroup(2, Transport.EPOLL.newIoHandlerFactory());
  }

  @AfterAll
  static void stopLoops() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  @Test
  void bytesArriveInOrderBothWaysAndBothEndsComplete() throws Exception {
    UdpSocket nearSocket = UdpSocket.bind(ANY);
    UdpSocket farSocket = UdpSocket.bind(ANY);
    nearSocket.connect(farSocket.localAddress());
    farSocket.connect(nearSocket.localAddress());
    Peer near = new Peer(nearSocket, 1, 3_000_000, System::nanoTime);
    Peer far = new Peer(farSocket, 2, 1_000_000, System::nanoTime);
    near.start();
    far.start();
    assertThat(near.closed.get(20, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
    assertThat(far.closed.get(20, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
    assertThat(far.received).hasValue(3_000_000);
    assertThat(near.received).hasValue(1_000_000);
  }

  @Test
  void lossesDoublesAndRubbishChangeNoByte() throws Exception {
    try (LossyProxy proxy = new LossyProxy(0.1, 0.05)) {
      Peer near = new Peer(UdpSocket.bind(ANY), 1, 2_000_000, System::nanoTime);
      Peer far = new Peer(UdpSocket.bind(ANY), 2, 300_000, System::nanoTime);
      join(near, far, proxy);
      assertThat(near.closed.get(30, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
      assertThat(far.closed.get(30, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
      assertThat(far.received).hasValue(2_000_000);
      assertThat(near.received).hasValue(300_000);
    }
  }

  /** As an event loop that ends does; the kernel may give the descriptor to another socket. */
  @Test
  void aSessionIsOverWithItsSocketAndSendsNoMore() throws Exception {
    try (LossyProxy proxy = new LossyProxy(0, 0)) {
      Peer near = new Peer(UdpSocket.bind(ANY), 1, 1 << 30, System::nanoTime);
      Peer far = new Peer(UdpSocket.bind(ANY), 2, 0, System::nanoTime);
      join(near, far, proxy);
      await().until(() -> far.received.get() > 100_000);
      near.closeSocket();
      assertThat(near.closed.get(20, TimeUnit.SECONDS)).isEqualTo(CloseReason.NONE);
      far.reset();
      assertThat(far.closed.get(30, TimeUnit.SECONDS)).isEqualTo(CloseReason.RESET_BY_US);
    }
  }

  @Test
  void aPeerThatDoesNotReadHoldsTheSenderBackWithinTheWindow() throws Exception {
    try (LossyProxy proxy = new LossyProxy(0.01, 0)) {
      Peer near = new Peer(UdpSocket.bind(ANY), 1, 8_000_000, System::nanoTime);
      Peer far = new Peer(UdpSocket.bind(ANY), 2, 0, System::nanoTime);
      far.reads = false;
      join(near, far, proxy);
      long window = (long) WINDOW * SessionSettings.USUAL_CONTENT_BYTES;
      await().until(() -> near.offered.get() > window / 2 && !near.hasRoom());
      assertThat(near.offered.get()).isLessThanOrEqualTo(2 * window);
      assertThat(far.received).hasValue(0);
      far.readOn();
      assertThat(near.closed.get(30, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
      assertThat(far.received).hasValue(8_000_000);
    }
  }

  /** The clock leaps at one end while the other end waits, as after a process was stopped. */
  @Test
  void aClockThatLeapsBreaksNothing() throws Exception {
    AtomicLong leap = new AtomicLong();
    try (LossyProxy proxy = new LossyProxy(0.02, 0)) {
      Peer near = new Peer(UdpSocket.bind(ANY), 1, 4_000_000, System::nanoTime);
      Peer far = new Peer(UdpSocket.bind(ANY), 2, 0, () -> System.nanoTime() + leap.get());
      join(near, far, proxy);
      await().until(() -> far.received.get() > 1_000_000);
      leap.set(HOUR);
      assertThat(near.closed.get(30, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
      assertThat(far.received).hasValue(4_000_000);
    }
  }

  /** As a dialler does whose peer starts later than it. */
  @Test
  void aRefusalFromBeforeTheSessionIsNoneOfThePeers() throws Exception {
    UdpSocket socket = UdpSocket.bind(ANY);
    UdpSocket farSocket = UdpSocket.bind(ANY);
    InetSocketAddress peer = farSocket.localAddress();
    farSocket.close();
    socket.connect(peer);
    EventLoop loop = loops.next();
    loop.submit(() -> socket.register(loop, new Unheard(socket))).get();
    loop.submit(
            () -> {
              socket.buffer().put((byte) 0);
              socket.add(1);
              return socket.flush();
            })
        .get();
    await().until(() -> loop.submit(socket::unreachable).get() > 0);

    UdpSocket returned = UdpSocket.bind(peer);
    returned.connect(socket.localAddress());
    Peer near = new Peer(loop, socket, 1, 100_000, System::nanoTime);
    Peer far = new Peer(returned, 2, 0, System::nanoTime);
    near.start();
    far.start();

    assertThat(near.closed.get(20, TimeUnit.SECONDS)).isEqualTo(CloseReason.COMPLETED);
    assertThat(near.refusals).hasValue(0);
  }

  @Test
  void aResetReachesThePeerAndClosesBothSockets() throws Exception {
    try (LossyProxy proxy = new LossyProxy(0.2, 0)) {
      Peer near = new Peer(UdpSocket.bind(ANY), 1, Long.MAX_VALUE, System::nanoTime);
      Peer far = new Peer(UdpSocket.bind(ANY), 2, 0, System::nanoTime);
      join(near, far, proxy);
      await().until(() -> far.received.get() > 100_000);
      far.reset();
      assertThat(near.closed.get(20, TimeUnit.SECONDS)).isEqualTo(CloseReason.RESET_BY_PEER);
      assertThat(far.closed.get(20, TimeUnit.SECONDS)).isEqualTo(CloseReason.RESET_BY_US);
    }
  }

  private static void join(Peer near, Peer far, LossyProxy proxy) throws IOException {
    near.socket.connect(proxy.near());
    far.socket.connect(proxy.far());
    proxy.start(near.socket.localAddress(), far.socket.localAddress());
    near.start();
    far.start();
  }

  /** Receives for nobody. */
  private record Unheard(UdpSocket socket) implements UdpSocket.Events {
    @Override
    public void datagram(ByteBuffer datagram, long receivedNanos) {}

    @Override
    public void readable() {
      socket.receive();
    }

    @Override
    public void writable() {}
  }

  /** An application at one end: sends a number of bytes, checks what comes. */
  private static final class Peer implements SessionDriver.Application {
    private final UdpSocket socket;
    private final long toSend;
    private final SessionDriver driver;
    private final EventLoop loop;
    private final ByteBuffer chunk = ByteBuffer.allocate(16_384);
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
    private volatile boolean reads = true;
    private boolean ended;

    Peer(UdpSocket socket, int id, long toSend, LongSupplier clock) {
      this(loops.next(), socket, id, toSend, clock);
    }

    Peer(EventLoop loop, UdpSocket socket, int id, long toSend, LongSupplier clock) {
      this.loop = loop;
      this.socket = socket;
      this.toSend = toSend;
      SessionSettings settings =
          new SessionSettings(
              id,
              3 - id,
              SessionSettings.USUAL_CONTENT_BYTES,
              WINDOW,
              SessionSettings.USUAL_SILENCE_NANOS,
              id);
      CodedSession session =
          new CodedSession(settings, new DelayCompete(), new SlidingDeficit(1), clock.getAsLong());
      this.driver = new SessionDriver(loop, socket, session, settings, null, this, clock);
    }

    void start() {
      loop.execute(driver::start);
    }

    void reset() {
      loop.execute(() -> driver.reset(7));
    }

    void closeSocket() {
      loop.execute(() -> {
        socket.close();
        driver.turnSoon();
      });
    }

    void readOn() {
      reads = true;
      loop.execute(() -> ready(driver));
    }

    boolean hasRoom() throws Exception {
      return loop.submit(() -> driver.session().hasRoom()).get();
    }

    @Override
    public void ready(SessionDriver at) {
      try {
        read();
        write();
      } catch (RuntimeException | AssertionError e) {
        closed.completeExceptionally(e);
      }
    }

    private void read() {
      while (reads && driver.session().receiving() != ReceivingState.ENDED) {
        chunk.clear();
        if (driver.read(chunk) == 0) {
          return;
        }
        chunk.flip();
        long at = received.get();
        while (chunk.hasRemaining()) {
          byte found = chunk.get();
          if (found != at(at)) {
            throw new AssertionError("byte " + at);
          }
          at++;
        }
        received.set(at);
      }
    }

    private void write() {
      while (driver.session().hasRoom() && offered.get() < toSend) {
        chunk.clear();
        long at = offered.get();
        while (chunk.hasRemaining() && at < toSend) {
          chunk.put(at(at++));
        }
        offered.addAndGet(driver.offer(chunk.flip()));
      }
      if (offered.get() == toSend && !ended && driver.session().sending() == SendingState.OPEN) {
        ended = true;
        driver.end();
      }
    }

    private static byte at(long offset) {
      return (byte) ((offset * 0x9e3779b97f4a7c15L) >>> 40);
    }

    @Override
    public void unreachable(SessionDriver at) {
      refusals.incrementAndGet();
    }

    @Override
    public void closed(SessionDriver at) {
      closed.complete(at.session().reason());
    }
  }
}
