package io.cascade.relay.egress;

import io.cascade.api.HostPort;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.net.UnknownHostException;

/** The outlet to a destination that one stream names, which is resolved for that stream. */
public final class DirectOutlet implements Outlet {
  private final HostPort destination;
  private final AddressRule rule;
  private final Sockets sockets;

  public DirectOutlet(HostPort destination, AddressRule rule, Sockets sockets) {
    this.destination = destination;
    this.rule = rule;
    this.sockets = sockets;
  }

  @Override
  public void open(StreamStart start, EventLoop loop, StreamSettings settings, Onward stream) {
    ConnectAttempts attempts =
        new ConnectAttempts(
            sockets,
            target(),
            loop,
            settings,
            false,
            stream,
            channel -> stream.confirmed(channel, Unpooled.EMPTY_BUFFER));
    Thread.ofVirtual()
        .name("resolve " + destination.host())
        .start(() -> {
          try {
            ConnectAttempts.Resolved resolved =
                ConnectAttempts.lookUp(destination.host(), destination.port(), rule);
            loop.execute(() -> {
              if (stream.waiting()) {
                attempts.begin(resolved);
              }
            });
          } catch (UnknownHostException e) {
            loop.execute(() -> stream.failed(unresolvable()));
          }
        });
  }

  private ConnectFailed unresolvable() {
    return new ConnectFailed(ConnectFailed.Kind.UNRESOLVABLE, target() + ": has no address");
  }

  @Override
  public String target() {
    return destination.toString();
  }

  @Override
  public void close() {}
}
