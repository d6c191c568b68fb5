package io.cascade.relay.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EgressOutletTest {
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
    assertThat(ConnectAttempts.lookUp("127.0.0.1", 7, rule).addresses()).isEmpty();
    allowed.add("127.0.0.1");
    ConnectAttempts.Resolved resolved = ConnectAttempts.lookUp("localhost", 7, rule);
    assertThat(resolved.addresses()).containsExactly(new InetSocketAddress("127.0.0.1", 7));
    assertThat(resolved.obstacle()).isNull();
  }

  private EgressOutlet outlet() throws Exception {
    return EgressOutlet.to("127.0.0.1", 7, false, rule, sockets, Duration.ofNanos(1));
  }

  @SuppressWarnings("NullAway") // settings are those of a connection, and none is made
  private void open(EgressOutlet outlet, Outlet.Onward stream) {
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 1);
    outlet.open(new StreamStart(UUID.randomUUID(), any, any), loops.next(), null, stream);
  }

  /** A stream that waits for its way on. */
  private static final class Asking implements Outlet.Onward {
    final List<CloseReason> failures = new ArrayList<>();

    @Override
    public void offered(Channel onward, boolean warm) {}

    @Override
    public void confirmed(Channel onward, ByteBuf early) {}

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
