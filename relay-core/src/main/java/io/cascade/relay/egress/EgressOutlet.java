package io.cascade.relay.egress;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.Sockets;
import io.cascade.relay.balancer.ProxyHeader;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The outlet to the destination. Connects anew for each stream: a server should not see connections
 * that no client requested. The rules are applied to the addresses whenever the name is resolved. A
 * result is used for half a minute, and the JDK may have cached it for as long before, so a server
 * that moves is found after a minute at most. While no name server answers, the old addresses stay
 * in use.
 */
public final class EgressOutlet implements Outlet {
  /** Age at which a name is resolved again. */
  private static final Duration REFRESH = Duration.ofSeconds(15);

  /** Age at which a stream waits until the name is resolved again. */
  private static final Duration LIFETIME = Duration.ofSeconds(30);

  private final String host;
  private final int port;
  private final String target;
  private final boolean proxyProtocol;
  private final AddressRule rule;
  private final Sockets sockets;
  private final long refreshNanos;
  private final long lifetimeNanos;
  private final NameLookups.Resolver resolver;
  private final AtomicReference<@Nullable CompletableFuture<Resolved>> refreshing =
      new AtomicReference<>();
  private volatile Resolved resolved;

  private record Resolved(ConnectAttempts.Resolved found, long atNanos) {}

  private EgressOutlet(
      String host,
      int port,
      boolean proxyProtocol,
      AddressRule rule,
      Sockets sockets,
      Duration refresh,
      Duration lifetime,
      NameLookups.Resolver resolver)
      throws UnknownHostException {
    this.host = host;
    this.port = port;
    this.proxyProtocol = proxyProtocol;
    this.rule = rule;
    this.sockets = sockets;
    this.refreshNanos = refresh.toNanos();
    this.lifetimeNanos = lifetime.toNanos();
    this.resolver = resolver;
    this.resolved = lookUp();
    this.target = new HostPort(host, port).toString();
  }

  /**
   * Resolves the name; blocks.
   *
   * @throws UnknownHostException if it has no address
   */
  public static EgressOutlet to(
      String host, int port, boolean proxyProtocol, AddressRule rule, Sockets sockets)
      throws UnknownHostException {
    return to(
        host, port, proxyProtocol, rule, sockets, REFRESH, LIFETIME, NameLookups.Resolver.SYSTEM);
  }

  /**
   * Resolves the name with other ages of its result; blocks.
   *
   * @param refresh age at which the name is resolved again, for later streams
   * @param lifetime age at which a stream waits until the name is resolved again
   */
  static EgressOutlet to(
      String host,
      int port,
      boolean proxyProtocol,
      AddressRule rule,
      Sockets sockets,
      Duration refresh,
      Duration lifetime,
      NameLookups.Resolver resolver)
      throws UnknownHostException {
    return new EgressOutlet(host, port, proxyProtocol, rule, sockets, refresh, lifetime, resolver);
  }

  @Override
  public void open(
      StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream) {
    ConnectAttempts attempts =
        new ConnectAttempts(
            sockets,
            target,
            loop,
            settings,
            proxyProtocol,
            stream,
            channel -> connected(channel, start, stream));
    Resolved now = resolved;
    long age = System.nanoTime() - now.atNanos();
    if (age <= refreshNanos) {
      attempts.begin(now.found());
      return;
    }
    CompletableFuture<Resolved> next = refresh();
    if (age <= lifetimeNanos) {
      attempts.begin(now.found());
      return;
    }
    next.copy()
        .completeOnTimeout(now, settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS)
        .thenAcceptAsync(
            renewed -> {
              if (stream.waiting()) {
                attempts.begin(renewed.found());
              }
            },
            loop);
  }

  /** Returns the refusal if none of the destination's addresses is allowed; otherwise null. */
  public @Nullable AddressRefusal obstacle() {
    return resolved.found().obstacle();
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public void close() {}

  private void connected(Channel channel, StreamStart start, ServedStream stream) {
    if (proxyProtocol) {
      ByteBuf header = channel.alloc().buffer();
      ProxyHeader.write(header, start.client(), start.ingress());
      channel.write(header);
    }
    stream.confirmed(channel, Unpooled.EMPTY_BUFFER);
    channel.flush();
  }

  private Resolved lookUp() throws UnknownHostException {
    return new Resolved(
        ConnectAttempts.judge(resolver.addresses(host), port, rule), System.nanoTime());
  }

  /**
   * Resolves the name again off the event loop, once for all streams that arrive meanwhile.
   *
   * @return the new result; the old addresses if there is no answer
   */
  private CompletableFuture<Resolved> refresh() {
    CompletableFuture<Resolved> next = new CompletableFuture<>();
    CompletableFuture<Resolved> underWay = refreshing.compareAndExchange(null, next);
    if (underWay != null) {
      return underWay;
    }
    Thread.ofVirtual()
        .name("resolve " + host)
        .start(() -> {
          Resolved renewed = resolved;
          try {
            renewed = lookUp();
          } catch (UnknownHostException e) {
            renewed = new Resolved(renewed.found(), System.nanoTime());
          } finally {
            resolved = renewed;
            refreshing.set(null);
            next.complete(renewed);
          }
        });
    return next;
  }
}
