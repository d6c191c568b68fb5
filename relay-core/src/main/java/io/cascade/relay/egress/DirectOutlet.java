package io.cascade.relay.egress;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.Sockets;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The outlet to a destination that one stream names. Its name is resolved for that stream within
 * the connect time-out.
 */
public final class DirectOutlet implements Outlet {
  private final HostPort destination;
  private final AddressRule rule;
  private final Sockets sockets;
  private final NameLookups names;

  public DirectOutlet(HostPort destination, AddressRule rule, Sockets sockets, NameLookups names) {
    this.destination = destination;
    this.rule = rule;
    this.sockets = sockets;
    this.names = names;
  }

  @Override
  public void open(
      StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream) {
    ConnectAttempts attempts =
        new ConnectAttempts(
            sockets,
            target(),
            loop,
            settings,
            false,
            stream,
            channel -> stream.confirmed(channel, Unpooled.EMPTY_BUFFER));
    names
        .lookUp(destination.host(), settings.connectTimeout())
        .whenCompleteAsync(
            (addresses, failure) -> {
              if (failure != null) {
                stream.failed(unresolved(failure));
              } else if (stream.waiting()) {
                attempts.begin(ConnectAttempts.judge(addresses, destination.port(), rule));
              }
            },
            loop);
  }

  private ConnectFailed unresolved(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case UnknownHostException _ -> failed(ConnectFailed.Kind.UNRESOLVABLE, "has no address");
      case TimeoutException _ ->
          failed(ConnectFailed.Kind.TIMED_OUT, "no name server answered in time");
      case RejectedExecutionException _ ->
          failed(ConnectFailed.Kind.FAILED, "too many names are being looked up");
      default -> failed(ConnectFailed.Kind.FAILED, cause.toString());
    };
  }

  private ConnectFailed failed(ConnectFailed.Kind kind, String why) {
    return new ConnectFailed(kind, target() + ": " + why);
  }

  @Override
  public String target() {
    return destination.toString();
  }

  @Override
  public void close() {}
}
