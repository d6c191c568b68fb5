package io.cascade.relay.egress;

import io.cascade.carriage.socket.Sockets;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connecting to a destination: its addresses one after the other, in the resolver's order.
 *
 * @param speaks whether this relay itself has something to say to the destination first
 */
record ConnectAttempts(
    Sockets sockets,
    String target,
    EventLoop loop,
    StreamSettings settings,
    boolean speaks,
    Outlet.Onward stream,
    Consumer<Channel> connected) {
  private static final int MOST_ADDRESSES = 4;

  /**
   * Addresses that a name resolved to.
   *
   * @param addresses that may be connected to
   * @param refusal of the first address that may not; null where all may
   */
  record Resolved(List<InetSocketAddress> addresses, @Nullable AddressRefusal refusal) {
    Resolved {
      addresses = List.copyOf(addresses);
    }

    /** Explains why nothing can be connected to; null where something can. */
    @Nullable AddressRefusal obstacle() {
      return addresses.isEmpty() ? refusal : null;
    }
  }

  /** Connects to the first address that answers. On the loop. */
  void begin(Resolved resolved) {
    AddressRefusal obstacle = resolved.obstacle();
    if (obstacle != null) {
      stream.failed(
          new ConnectFailed(ConnectFailed.Kind.NOT_ALLOWED, target + ": " + obstacle.text()));
    } else {
      connect(resolved.addresses(), 0);
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
            stream.failed(ConnectFailed.of(connection.cause(), target));
          }
        });
  }

  /** Resolves a name and judges its addresses. Blocks. */
  static Resolved lookUp(String host, int port, AddressRule rule) throws UnknownHostException {
    return judge(List.of(InetAddress.getAllByName(host)), port, rule);
  }

  /**
   * Judges each of a name's addresses, which are then connected to as they are: the name is not
   * asked again.
   */
  static Resolved judge(List<InetAddress> addresses, int port, AddressRule rule) {
    List<InetSocketAddress> allowed = new ArrayList<>();
    AddressRefusal first = null;
    for (InetAddress address : addresses) {
      AddressRefusal refusal = rule.refusal(address, port);
      if (refusal != null) {
        first = first == null ? refusal : first;
      } else if (allowed.size() < MOST_ADDRESSES) {
        allowed.add(new InetSocketAddress(address, port));
      }
    }
    return new Resolved(allowed, first);
  }
}
