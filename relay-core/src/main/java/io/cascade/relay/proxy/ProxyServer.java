package io.cascade.relay.proxy;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.admission.RefusalLog;
import io.cascade.relay.balancer.BalancedConnection;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.chain.StreamAdmission;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.names.NameLookups;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The SOCKS5 and the CONNECT port of a relay. */
public final class ProxyServer implements AutoCloseable {
  private static final RefusalLog REFUSED =
      RefusalLog.of(Logger.getLogger(ProxyServer.class.getName()));
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MOST_PENDING = 1_024;
  private static final int MOST_ROUTES = 4_096;

  private final Sockets sockets;
  private final ProxyAdmission admission;
  private final ExecutorService passwords;
  private final Balancers balancers;
  private final List<Port> ports = new CopyOnWriteArrayList<>();

  /** Protocol of a port; its name is handed to a successor. */
  private enum Protocol {
    SOCKS5,
    CONNECT
  }

  private record Port(Protocol protocol, Channel listening) {}

  private ProxyServer(
      Sockets sockets, ProxyAdmission admission, ExecutorService passwords, Balancers balancers) {
    this.balancers = balancers;
    this.sockets = sockets;
    this.admission = admission;
    this.passwords = passwords;
  }

  /**
   * Opens the ports that the settings name; blocks.
   *
   * @param planner of routes; null if every stream goes directly
   * @param uses counts direct streams
   * @param balancers load balancers that send their clients' addresses
   * @param inherited a predecessor's listening sockets, by protocol; those that the settings do not
   *     name are closed
   * @throws IOException if a port cannot be opened
   * @throws IllegalArgumentException if the credentials cannot be read
   */
  public static ProxyServer open(
      ProxySettings settings,
      Sockets sockets,
      NameLookups names,
      StreamAdmission streams,
      DestinationPolicy destinations,
      RoutingDecision.@Nullable Planner planner,
      DestinationUses uses,
      Balancers balancers,
      Map<String, Integer> inherited)
      throws IOException {
    // One thread: hashing passwords uses processor time that streams need more.
    ExecutorService passwords =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("passwords").factory());
    RouteCache routes =
        new RouteCache(planner, MOST_ROUTES, Thread::startVirtualThread, System::nanoTime);
    ProxyAdmission admission =
        new ProxyAdmission(
            settings,
            PATIENCE,
            MOST_PENDING,
            passwords,
            new ProxyForwarding(streams, sockets, names, destinations, routes, uses));
    ProxyServer server = new ProxyServer(sockets, admission, passwords, balancers);
    try {
      for (Protocol protocol : Protocol.values()) {
        server.open(protocol, settings, inherited.get(protocol.name()));
      }
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void open(Protocol protocol, ProxySettings settings, @Nullable Integer descriptor)
      throws IOException {
    InetSocketAddress at =
        switch (protocol) {
          case SOCKS5 -> settings.socks();
          case CONNECT -> settings.connect();
        };
    Supplier<ChannelHandler> handshakes =
        balanced(
            switch (protocol) {
              case SOCKS5 -> () -> new Socks5Handshake(admission);
              case CONNECT -> () -> new ConnectHandshake(admission);
            });
    SocketTuning tuning = SocketTuning.defaults();
    if (descriptor != null) {
      Channel adopted = bound(protocol, at, sockets.adopt(descriptor, tuning, handshakes));
      if (at == null) {
        adopted.close().awaitUninterruptibly();
        return;
      }
      ports.add(new Port(protocol, adopted));
      sockets.accept(adopted, true);
    } else if (at != null) {
      ports.add(new Port(protocol, bound(protocol, at, sockets.listen(at, tuning, handshakes))));
    }
  }

  /** Begins handshakes with clients of balancers after the balancer's header. */
  private Supplier<ChannelHandler> balanced(Supplier<ChannelHandler> handshakes) {
    return BalancedConnection.before(
        handshakes,
        (context, behind) -> {
          context.pipeline().addLast(handshakes.get());
          context.fireChannelActive();
          context.fireChannelRead(behind);
        },
        balancers,
        REFUSED);
  }

  private static Channel bound(
      Protocol protocol, @Nullable InetSocketAddress at, ChannelFuture binding) throws IOException {
    Throwable failure = binding.awaitUninterruptibly().cause();
    if (failure != null) {
      throw new IOException(protocol + " port " + at + ": " + failure.getMessage(), failure);
    }
    return binding.channel();
  }

  /** Accepts connections, or leaves them in the kernel's queue. Blocks. */
  public void accept(boolean on) {
    ports.forEach(port -> sockets.accept(port.listening(), on));
  }

  /** Protocols of the ports, for a successor. */
  public List<String> protocols() {
    return ports.stream().map(port -> port.protocol().name()).toList();
  }

  /** Descriptors of the listening sockets, for a successor. */
  public List<Integer> descriptors() {
    return ports.stream().map(port -> ((UnixChannel) port.listening()).fd().intValue()).toList();
  }

  /** Address of the SOCKS5 port; null if there is none. */
  public @Nullable InetSocketAddress socks() {
    return address(Protocol.SOCKS5);
  }

  /** Address of the CONNECT port; null if there is none. */
  public @Nullable InetSocketAddress connect() {
    return address(Protocol.CONNECT);
  }

  private @Nullable InetSocketAddress address(Protocol protocol) {
    return ports.stream()
        .filter(port -> port.protocol() == protocol)
        .findFirst()
        .map(port -> (InetSocketAddress) port.listening().localAddress())
        .orElse(null);
  }

  /** Number of handshakes by outcome. */
  public Map<String, Long> handshakes() {
    return admission.counted();
  }

  /** Number of running handshakes. */
  public int pending() {
    return admission.pending();
  }

  /** Stops accepting connections; streams continue. */
  @Override
  public void close() {
    ports.forEach(port -> port.listening().close().awaitUninterruptibly());
    passwords.shutdown();
  }
}
