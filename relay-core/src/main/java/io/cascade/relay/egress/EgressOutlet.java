package io.cascade.relay.egress;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.Sockets;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.hop.ProxyHeader;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The outlet to the destination. Connects for each stream anew: a server should not see connections
 * that nobody has asked for. Addresses of a name are judged when it is resolved, and tried in the
 * resolver's order.
 */
public final class EgressOutlet implements Outlet {
  private static final Duration REFRESH = Duration.ofSeconds(30);

  private final String host;
  private final int port;
  private final String target;
  private final boolean proxyProtocol;
  private final AddressRule rule;
  private final Sockets sockets;
  private final long refreshNanos;
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile Resolved resolved;

  private record Resolved(ConnectAttempts.Resolved found, long atNanos) {}

  private EgressOutlet(
      String host,
      int port,
      boolean proxyProtocol,
      AddressRule rule,
      Sockets sockets,
      long refreshNanos)
      throws UnknownHostException {
    this.host = host;
    this.port = port;
    this.proxyProtocol = proxyProtocol;
    this.rule = rule;
    this.sockets = sockets;
    this.refreshNanos = refreshNanos;
    this.resolved = new Resolved(ConnectAttempts.lookUp(host, port, rule), System.nanoTime());
    this.target = new HostPort(host, port).toString();
  }

  /**
   * Resolves the name; blocks.
   *
   * @throws UnknownHostException when it has no address
   */
  public static EgressOutlet to(
      String host, int port, boolean proxyProtocol, AddressRule rule, Sockets sockets)
      throws UnknownHostException {
    return to(host, port, proxyProtocol, rule, sockets, REFRESH);
  }

  /**
   * Makes the outlet with another time to live of what the name resolved to; blocks.
   *
   * @param refresh age at which what the name resolved to is looked up again, for the next stream
   */
  static EgressOutlet to(
      String host,
      int port,
      boolean proxyProtocol,
      AddressRule rule,
      Sockets sockets,
      Duration refresh)
      throws UnknownHostException {
    return new EgressOutlet(host, port, proxyProtocol, rule, sockets, refresh.toNanos());
  }

  @Override
  public void open(StreamStart start, EventLoop loop, StreamSettings settings, Onward stream) {
    Resolved now = resolved;
    if (System.nanoTime() - now.atNanos() > refreshNanos) {
      refresh();
    }
    new ConnectAttempts(
            sockets,
            target,
            loop,
            settings,
            proxyProtocol,
            stream,
            channel -> connected(channel, start, stream))
        .begin(now.found());
  }

  /** Explains why none of the destination's addresses may be connected to; null where one may. */
  public @Nullable AddressRefusal obstacle() {
    return resolved.found().obstacle();
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public void close() {}

  private void connected(Channel channel, StreamStart start, Onward stream) {
    if (proxyProtocol) {
      ByteBuf header = channel.alloc().buffer();
      ProxyHeader.write(header, start.client(), start.ingress());
      channel.write(header);
    }
    stream.confirmed(channel, Unpooled.EMPTY_BUFFER);
    channel.flush();
  }

  /** Looks the name up again off the event loop; the old addresses serve until then. */
  private void refresh() {
    if (refreshing.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("resolve " + host)
          .start(() -> {
            try {
              resolved = new Resolved(ConnectAttempts.lookUp(host, port, rule), System.nanoTime());
            } catch (UnknownHostException e) {
              resolved = new Resolved(resolved.found(), System.nanoTime());
            } finally {
              refreshing.set(false);
            }
          });
    }
  }
}
