package io.cascade.relay.egress;

import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Connecting to a destination: its addresses one after the other, in the resolver's order.
 *
 * @param speaks whether this relay itself has something to say to the destination first
 */
record Attempts(
    Sockets sockets,
    String target,
    EventLoop loop,
    StreamSettings settings,
    boolean speaks,
    Outlet.Onward stream,
    Consumer<Channel> connected) {
  private static final int MOST_ADDRESSES = 4;

  /** On the loop. */
  void begin(List<InetSocketAddress> addresses) {
    if (addresses.isEmpty()) {
      stream.failed(
          new ConnectFailed(
              ConnectFailed.Kind.NOT_ALLOWED, target + ": none of its addresses is allowed"));
    } else {
      connect(addresses, 0);
    }
  }

  private void connect(List<InetSocketAddress> addresses, int index) {
    sockets
        .connect(
            loop,
            addresses.get(index),
            settings.onward().tuning(),
            settings.connectTimeout(),
            speaks || stream.speaks(),
            null)
        .addListener((Future<Channel> connection) -> {
          if (connection.isSuccess()) {
            connected.accept(connection.getNow());
          } else if (index + 1 < addresses.size() && stream.waiting()) {
            connect(addresses, index + 1);
          } else {
            stream.failed(HopOutlet.explain(connection.cause(), target));
          }
        });
  }

  /** Blocks. Empty where the name has addresses and none of them is allowed. */
  static List<InetSocketAddress> lookUp(String host, int port, AddressRule rule)
      throws UnknownHostException {
    return Stream.of(InetAddress.getAllByName(host))
        .filter(address -> rule.allows(address, port))
        .limit(MOST_ADDRESSES)
        .map(address -> new InetSocketAddress(address, port))
        .toList();
  }
}
