package io.cascade.relay.egress;

import io.cascade.carriage.socket.Sockets;
import io.cascade.command.names.AddressRace;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a destination: to the first of its addresses that answers.
 *
 * @param speaks whether this relay itself sends bytes to the destination first
 */
record ConnectAttempts(
    Sockets sockets,
    String target,
    EventLoop loop,
    StreamSettings settings,
    boolean speaks,
    Outlet.ServedStream stream,
    Consumer<Channel> connected)
    implements AddressRace.Dialler<Channel> {
  private static final int MOST_ADDRESSES = 4;

  /**
   * The addresses that a name resolved to.
   *
   * @param addresses allowed addresses
   * @param refusal of the first address that is not allowed; null if all are
   */
  record Resolved(List<InetSocketAddress> addresses, @Nullable AddressRefusal refusal) {
    Resolved {
      addresses = List.copyOf(addresses);
    }

    /** Returns the refusal if no address is allowed; otherwise null. */
    @Nullable AddressRefusal obstacle() {
      return addresses.isEmpty() ? refusal : null;
    }
  }

  /** Connects to the first address that answers. Called on the event loop. */
  void begin(Resolved resolved) {
    AddressRefusal obstacle = resolved.obstacle();
    if (obstacle != null) {
      stream.failed(
          new ConnectFailed(ConnectFailed.Kind.NOT_ALLOWED, target + ": " + obstacle.text()));
    } else {
      new AddressRace<>(resolved.addresses(), this)
          .begin()
          .whenComplete((channel, failure) -> {
            if (failure == null) {
              connected.accept(channel);
            } else {
              stream.failed(ConnectFailed.of(failure, target));
            }
          });
    }
  }

  @Override
  public CompletableFuture<Channel> dial(InetSocketAddress to) {
    CompletableFuture<Channel> dialled = new CompletableFuture<>();
    Future<Channel> connecting =
        sockets.connect(
            loop,
            to,
            settings.onward().tuning(),
            settings.connectTimeout(),
            speaks || stream.speaks(),
            null);
    connecting.addListener((Future<Channel> connection) -> {
      if (connection.isSuccess()) {
        dialled.complete(connection.getNow());
      } else {
        dialled.completeExceptionally(connection.cause());
      }
    });
    dialled.whenComplete((_, _) -> {
      if (dialled.isCancelled()) {
        connecting.cancel(false);
      }
    });
    return dialled;
  }

  @Override
  public void later(Duration time, Runnable then) {
    loop.schedule(then, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void discard(Channel connection) {
    connection.close();
  }

  @Override
  public boolean isWanted() {
    return stream.waiting();
  }

  /**
   * Applies the rule to each of a name's addresses. The connection is made to these addresses, so
   * the name is not resolved again.
   */
  static Resolved judge(List<InetAddress> addresses, int port, AddressRule rule) {
    List<InetSocketAddress> allowed = new ArrayList<>();
    AddressRefusal first = null;
    for (InetAddress address : AddressRace.ordered(addresses)) {
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
