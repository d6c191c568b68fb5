package io.cascade.relay.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.ConnectionSettings;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a stream whose warm connections have died. */
@Timeout(30)
class HopOutletTest {
  private static final UUID CHAIN = new UUID(1, 2);
  private static final HopKey KEY = HopHeaderTest.key(1);
  private static final int WARM = 4;
  private static final StreamStart START =
      new StreamStart(
          new UUID(3, 4),
          new InetSocketAddress("10.1.2.3", 40_000),
          new InetSocketAddress("10.4.5.6", 20_000));
  private static final ConnectionSettings CONNECTION =
      new ConnectionSettings(SocketTuning.defaults(), Duration.ZERO);
  private static final StreamSettings SETTINGS =
      new StreamSettings(
          1 << 20,
          new StartGate.Open(),
          PumpMode.AUTO,
          CONNECTION,
          CONNECTION,
          Duration.ofSeconds(1),
          Duration.ZERO,
          Duration.ZERO);

  private final List<String> offers = new CopyOnWriteArrayList<>();
  private final List<Socket> accepted = new CopyOnWriteArrayList<>();
  private MultiThreadIoEventLoopGroup loops;
  private ServerSocket next;
  private HopOutlet outlet;

  @SuppressWarnings("NullAway.Init")
  HopOutletTest() {}

  @BeforeEach
  void warmUp() throws IOException {
    Transport transport = Transport.best();
    loops = new MultiThreadIoEventLoopGroup(1, transport.newIoHandlerFactory());
    next = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
    outlet =
        new HopOutlet(
            CHAIN,
            hop(1),
            true,
            (InetSocketAddress) next.getLocalSocketAddress(),
            KEY,
            null,
            null,
            new Sockets(transport, loops),
            SETTINGS,
            WARM,
            0);
    outlet.warmUp(System.nanoTime() + Duration.ofSeconds(20).toNanos()).join();
  }

  @AfterEach
  void stop() throws IOException {
    outlet.close();
    next.close();
    for (Socket socket : accepted) {
      socket.close();
    }
    loops.shutdownGracefully();
  }

  @Test
  void aSilentOneIsFollowedByANewOneAndNotByTheOthersOfItsAge() {
    Offered stream = new Offered();
    EventLoop loop = loops.next();
    loop.execute(() -> outlet.open(START, loop, SETTINGS, stream));
    await().until(() -> stream.confirmed);
    assertThat(offers).containsExactly("warm", "new");
    await("new ones in the place of those that wait")
        .until(() -> outlet.ready() == WARM && accepted.size() == 2 * WARM + 2);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = next.accept();
        accepted.add(socket);
        Thread.startVirtualThread(() -> answer(socket));
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  /** Greetings and streams, but for those that come after a greeting. */
  private void answer(Socket socket) {
    try {
      HopHeader first = read(socket);
      if (first.kind().starts()) {
        offers.add("new");
      }
      socket.getOutputStream().write(first.answer().encode(KEY));
      if (read(socket).kind().starts()) {
        offers.add("warm");
      }
    } catch (IOException | HopHeader.Malformed e) {
      // closed by the outlet
    }
  }

  private static HopHeader read(Socket socket) throws IOException, HopHeader.Malformed {
    ByteBuf bytes = Unpooled.buffer(HopHeader.MOST_BYTES);
    while (true) {
      HopHeader.Unverified header = HopHeader.decode(bytes);
      if (header != null) {
        return header.header();
      }
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed");
      }
      bytes.writeByte(next);
    }
  }

  /** A stream that has nothing to send. */
  private static final class Offered implements Outlet.ServedStream {
    private volatile boolean confirmed;

    @Override
    public void offered(Channel onward, boolean warm) {}

    @Override
    public void confirmed(Channel onward, ByteBuf early) {
      early.release();
      confirmed = true;
    }

    @Override
    public void lost(Channel onward) {}

    @Override
    public void failed(CloseReason reason) {}

    @Override
    public boolean waiting() {
      return !confirmed;
    }

    @Override
    public boolean speaks() {
      return false;
    }
  }

  private static HopAddress hop(int number) {
    return new HopAddress(0, 0, number);
  }
}
