package io.cascade.relay.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.egress.ConnectAttempts.Resolved;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.ConnectionSettings;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.testing.ReservedPort;
import io.cascade.testing.SilentAddress;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams to names of several addresses; each address may take a day to answer. */
@Timeout(60)
class ConnectAttemptsTest {
  private static final ConnectionSettings CONNECTION =
      new ConnectionSettings(SocketTuning.defaults(), Duration.ZERO);
  static final StreamSettings SETTINGS =
      new StreamSettings(
          1 << 20,
          new StartGate.Open(),
          PumpMode.AUTO,
          CONNECTION,
          CONNECTION,
          Duration.ofDays(1),
          Duration.ZERO,
          Duration.ZERO);

  private final Stream stream = new Stream();
  private @Nullable EventLoopGroup loops;

  @AfterEach
  void stop() {
    if (loops != null) {
      loops.shutdownGracefully();
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectsPastAnAddressThatDoesNotAnswer(Transport transport) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        SilentAddress _ = new SilentAddress("127.0.0.2", server.getLocalPort())) {
      begin(transport, server.getLocalPort());

      assertThat(stream.connected.get().remoteAddress()).isEqualTo(server.getLocalSocketAddress());
    }
  }

  @ParameterizedTest
  @EnumSource
  void failsAsTheLastAddressDid(Transport transport) throws Exception {
    begin(transport, ReservedPort.untilTheEnd());

    assertThat(stream.failed.get().code()).isEqualTo("connect-refused");
  }

  private void begin(Transport transport, int port) {
    EventLoopGroup used = new MultiThreadIoEventLoopGroup(1, transport.newIoHandlerFactory());
    loops = used;
    EventLoop loop = used.next();
    ConnectAttempts attempts =
        new ConnectAttempts(
            new Sockets(transport, used),
            "a name",
            loop,
            SETTINGS,
            false,
            stream,
            stream.connected::complete);
    List<InetSocketAddress> addresses =
        List.of(new InetSocketAddress("127.0.0.2", port), new InetSocketAddress("127.0.0.1", port));
    loop.execute(() -> attempts.begin(new Resolved(addresses, null)));
  }

  /** A stream that waits for its way on. */
  private static final class Stream implements Outlet.ServedStream {
    final CompletableFuture<Channel> connected = new CompletableFuture<>();
    final CompletableFuture<CloseReason> failed = new CompletableFuture<>();

    @Override
    public void offered(Channel onward, boolean warm) {}

    @Override
    public void confirmed(Channel onward, ByteBuf early) {}

    @Override
    public void lost(Channel onward) {}

    @Override
    public void failed(CloseReason reason) {
      failed.complete(reason);
    }

    @Override
    public boolean waiting() {
      return true;
    }

    @Override
    public boolean speaks() {
      return false;
    }
  }
}
