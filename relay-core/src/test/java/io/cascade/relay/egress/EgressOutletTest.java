package io.cascade.relay.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EgressOutletTest {
  private static final StreamSettings SETTINGS = ConnectAttemptsTest.SETTINGS;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, Transport.NIO.newIoHandlerFactory());
  private final Sockets sockets = new Sockets(Transport.NIO, loops);
  private final Set<String> allowed = ConcurrentHashMap.newKeySet();
  private final AddressRule rule =
      (address, port) ->
          allowed.contains(address.getHostAddress())
              ? null
              : new AddressRefusal(address.getHostAddress() + ":" + port, "not ours", "a rule");

  @AfterEach
  void stop() {
    loops.shutdownGracefully();
  }

  @Test
  void aStreamWithoutAnAllowedAddressEndsAsNotAllowedAndSaysWhatWouldAllowIt() throws Exception {
    EgressOutlet outlet = outlet();
    Asking stream = new Asking();

    open(outlet, stream);

    assertThat(stream.failures)
        .singleElement()
        .satisfies(why -> {
          assertThat(why.code()).isEqualTo("not-allowed");
          assertThat(why.detail())
              .isEqualTo(
                  "127.0.0.1:7: 127.0.0.1:7 is not ours; fix: start this relay with"
                      + " --allow-destination 'a rule'");
        });
  }

  @Test
  void everyLookUpIsJudgedAnew() throws Exception {
    EgressOutlet outlet = outlet();
    assertThat(outlet.obstacle()).isNotNull();
    allowed.add("127.0.0.1");
    assertThat(outlet.obstacle()).as("nothing was looked up since").isNotNull();

    open(outlet, new Asking());

    await().until(() -> outlet.obstacle() == null);
  }

  @Test
  void ofANamesAddressesOnlyAllowedOnesAreTried() throws Exception {
    List<InetAddress> addresses =
        List.of(InetAddress.ofLiteral("127.0.0.2"), InetAddress.ofLiteral("127.0.0.1"));
    assertThat(ConnectAttempts.judge(addresses, 7, rule).addresses()).isEmpty();
    allowed.add("127.0.0.1");
    ConnectAttempts.Resolved resolved = ConnectAttempts.judge(addresses, 7, rule);
    assertThat(resolved.addresses()).containsExactly(new InetSocketAddress("127.0.0.1", 7));
    assertThat(resolved.obstacle()).isNull();
  }

  /** The first stream after a pause connects to where the name leads now. */
  @Test
  void aStreamAfterAPauseWaitsForTheNamesPresentAddress() throws Exception {
    allowed.addAll(List.of("127.0.0.1", "127.0.0.2"));
    AtomicReference<String> address = new AtomicReference<>("127.0.0.2");
    try (ServerSocket moved = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
      EgressOutlet outlet =
          EgressOutlet.to(
              "a.example",
              moved.getLocalPort(),
              false,
              rule,
              sockets,
              Duration.ZERO,
              Duration.ZERO,
              _ -> List.of(InetAddress.ofLiteral(address.get())));
      address.set("127.0.0.1");
      Asking stream = new Asking();

      open(outlet, stream);

      await().until(() -> !stream.confirmed.isEmpty() || !stream.failures.isEmpty());
      assertThat(stream.confirmed)
          .as(stream.failures.toString())
          .singleElement()
          .satisfies(
              each -> assertThat(each.remoteAddress()).isEqualTo(moved.getLocalSocketAddress()));
    }
  }

  /** Without an answer of a name server the old address serves on. */
  @Test
  void aNameThatCannotBeLookedUpAnyMoreLeadsWhereItLed() throws Exception {
    allowed.add("127.0.0.1");
    AtomicBoolean answers = new AtomicBoolean(true);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"))) {
      EgressOutlet outlet =
          EgressOutlet.to(
              "a.example",
              server.getLocalPort(),
              false,
              rule,
              sockets,
              Duration.ZERO,
              Duration.ZERO,
              host -> {
                if (!answers.get()) {
                  throw new UnknownHostException(host);
                }
                return List.of(InetAddress.ofLiteral("127.0.0.1"));
              });
      answers.set(false);
      Asking stream = new Asking();

      open(outlet, stream);

      await().until(() -> !stream.confirmed.isEmpty());
    }
  }

  private EgressOutlet outlet() throws Exception {
    return EgressOutlet.to(
        "127.0.0.1",
        7,
        false,
        rule,
        sockets,
        Duration.ZERO,
        Duration.ofDays(1),
        NameLookups.Resolver.SYSTEM);
  }

  private void open(EgressOutlet outlet, Outlet.ServedStream stream) {
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 1);
    outlet.open(new StreamStart(UUID.randomUUID(), any, any), loops.next(), SETTINGS, stream);
  }

  /** A stream that waits for its way on. */
  private static final class Asking implements Outlet.ServedStream {
    final List<CloseReason> failures = new CopyOnWriteArrayList<>();
    final List<Channel> confirmed = new CopyOnWriteArrayList<>();

    @Override
    public void offered(Channel onward, boolean warm) {}

    @Override
    public void confirmed(Channel onward, ByteBuf early) {
      confirmed.add(onward);
    }

    @Override
    public void lost(Channel onward) {}

    @Override
    public void failed(CloseReason reason) {
      failures.add(reason);
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
