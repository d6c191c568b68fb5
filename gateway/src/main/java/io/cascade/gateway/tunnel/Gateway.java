package io.cascade.gateway.tunnel;

import io.cascade.carriage.transport.Transport;
import io.cascade.command.CommandException;
import io.cascade.command.ListenFailure;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.forward.Forwarder;
import io.cascade.packets.forward.ForwarderSettings;
import io.cascade.packets.forward.IpPacket;
import io.cascade.packets.forward.RouteTable;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.offload.Segmenter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A gateway of the tunnel: a TUN device, links to other gateways, and a forwarder between them, on
 * one event loop. A gateway between two others has no TUN device.
 */
public final class Gateway implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Gateway.class.getName());
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Interval of checks of links. */
  static final long TICK_NANOS = 200_000_000;

  private static final long FAREWELL_MILLIS = 100;

  private final GatewaySettings settings;
  private final MultiThreadIoEventLoopGroup loops;
  private final EventLoop loop;
  private final Forwarder forwarder;
  private final LinkTable links = new LinkTable();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final long begunNanos = System.nanoTime();
  private @Nullable TunPort tun;
  private @Nullable TunnelRoutes routes;
  private @Nullable LinkAcceptor acceptor;
  private volatile List<IpPrefix> managedPrefixes = List.of();
  private volatile @Nullable String failure;

  private Gateway(GatewaySettings settings) {
    this.settings = settings;
    this.loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    this.loop = loops.next();
    this.forwarder =
        new Forwarder(
            new ForwarderSettings(
                new RouteTable(ownRoutes(settings)),
                settings.tun() != null,
                settings.addresses(),
                settings.clampsSegments()),
            new Ports());
  }

  /**
   * Opens devices, routes and sockets in the calling thread's network namespace; carries packets
   * from then on.
   *
   * @throws CommandException that names what is missing
   */
  public static Gateway open(GatewaySettings settings) {
    Map<LinkSettings, byte[]> keys = new HashMap<>();
    settings
        .links()
        .forEach(link -> keys.put(link, LinkKey.read(Objects.requireNonNull(link.keyFile()))));
    checkOwnRoutes(settings);
    if (settings.tun() != null) {
      KernelForwarding.check(settings);
    }
    Gateway gateway = new Gateway(settings);
    try {
      gateway.start(keys);
      return gateway;
    } catch (RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  /**
   * Checks that the gateway's own datagrams are not routed into the tunnel, where they would loop
   * for ever.
   */
  private static void checkOwnRoutes(GatewaySettings settings) {
    RouteTable own = new RouteTable(ownRoutes(settings));
    for (LinkSettings link : settings.links()) {
      link.loop(own)
          .ifPresent(loop -> {
            throw new CommandException(
                ("the gateway %s, %s, is inside the route %s: its own datagrams would be sent into"
                        + " the tunnel; fix: give longer prefixes without it, or --route %s=local")
                    .formatted(link.peer(), loop.address(), loop.prefix(), loop.address()));
          });
    }
  }

  private static List<RouteTable.Entry> ownRoutes(GatewaySettings settings) {
    return settings.routes().stream().map(GatewaySettings.LinkRoute::entry).toList();
  }

  private void start(Map<LinkSettings, byte[]> keys) {
    settings.links().forEach(this::add);
    listen(keys);
    openTun();
    onLoop(() -> {
      links.all().forEach(link -> link.start(keys.getOrDefault(link.settings(), new byte[0])));
      LoopTasks.every(loop, TICK_NANOS, this::tick);
      return true;
    });
  }

  private void listen(Map<LinkSettings, byte[]> keys) {
    InetSocketAddress at = settings.listen();
    if (at == null) {
      return;
    }
    try {
      LinkAcceptor made = LinkAcceptor.listen(loop, at, this::isInTunnel);
      acceptor = made;
      for (TunnelLink link : links.all()) {
        if (!link.settings().dials()) {
          made.accept(helloName(link), link, keys.getOrDefault(link.settings(), new byte[0]));
        }
      }
    } catch (IOException e) {
      throw new CommandException(
          "cannot listen at %s: %s; fix: choose another with --listen"
              .formatted(at, ListenFailure.words(e)),
          e);
    }
  }

  /** Whether the kernel routes datagrams for an address to the TUN device. */
  private boolean isInTunnel(IpAddress address) {
    return settings.tun() != null && forwarder.isBehindLink(address);
  }

  private TunnelLink add(LinkSettings link) {
    return links.add(port ->
        new TunnelLink(
            loop,
            settings,
            link,
            RANDOM.nextLong(),
            packet -> forwarder.arrived(port, packet, packet.length, System.nanoTime())));
  }

  private String helloName(TunnelLink link) {
    return new String(
        LinkSettings.helloName(link.settings().peer(), settings.deliveryMode(), settings.mtu()),
        StandardCharsets.US_ASCII);
  }

  GatewaySettings settings() {
    return settings;
  }

  /** Adds a link to the running gateway. Must not be called from its event loop. */
  void attach(LinkSettings link, byte[] key) {
    onLoop(() -> {
      TunnelLink added = add(link);
      LinkAcceptor accepting = acceptor;
      if (!link.dials() && accepting != null) {
        accepting.accept(helloName(added), added, key);
      }
      added.start(key);
      return true;
    });
  }

  /** Closes an added link. Must not be called from the event loop. */
  void detach(String peer) {
    onLoop(() -> {
      TunnelLink link = links.remove(peer);
      if (link != null) {
        if (acceptor != null) {
          acceptor.refuse(helloName(link));
        }
        link.end();
      }
      return true;
    });
  }

  /**
   * Sets routes over added links, besides the gateway's own routes. Must not be called from the
   * event loop.
   *
   * @param byPeer prefixes behind added links
   */
  void route(Map<String, List<IpPrefix>> byPeer) {
    List<IpPrefix> prefixes = byPeer.values().stream().flatMap(List::stream).toList();
    TunnelRoutes kernel = routes;
    if (kernel != null) {
      kernel.change(managedPrefixes, prefixes);
    }
    managedPrefixes = prefixes;
    onLoop(() -> {
      List<RouteTable.Entry> table = new ArrayList<>(ownRoutes(settings));
      byPeer.forEach((peer, behind) ->
          behind.forEach(prefix -> table.add(new RouteTable.Entry(prefix, links.port(peer)))));
      forwarder.route(new RouteTable(table));
      return true;
    });
  }

  private List<IpPrefix> prefixes(boolean local) {
    return settings.routes().stream()
        .filter(route -> route.isLocal() == local)
        .map(GatewaySettings.LinkRoute::prefix)
        .toList();
  }

  private void openTun() {
    String name = settings.tun();
    if (name == null) {
      return;
    }
    TunnelRoutes made =
        new TunnelRoutes(
            name,
            settings.mtu(),
            settings.addresses(),
            prefixes(false),
            prefixes(true),
            settings.table());
    made.checkFree();
    TunDevice device = TunDevice.makeWithOffloads(name);
    if (!device.hasOffloads()) {
      LOG.log(
          Level.INFO,
          "the kernel has no offloads for {0}: it hands packets over one by one, which takes more processor time",
          name);
    }
    TunPort port =
        new TunPort(
            device,
            (bytes, length) -> forwarder.arrived(Forwarder.LOCAL, bytes, length, System.nanoTime()),
            () -> fail("the device " + name + " was removed; fix: start the gateway again"));
    tun = port;
    routes = made;
    made.tearDown(); // Removes what a killed process has left.
    made.setUp();
    port.register(loop);
  }

  private void tick() {
    long now = System.nanoTime();
    links.all().forEach(link -> link.tick(now));
  }

  private void fail(String why) {
    failure = why;
    ended.countDown();
  }

  /**
   * Waits for {@link #stop}.
   *
   * @throws CommandException where the gateway cannot continue
   */
  public void awaitEnd() throws InterruptedException {
    ended.await();
    String why = failure;
    if (why != null) {
      throw new CommandException(why);
    }
  }

  /** Ends {@link #awaitEnd}. Thread-safe. */
  public void stop() {
    ended.countDown();
  }

  /** Returns counters and state. Thread-safe. */
  public GatewayStatus status() {
    return onLoop(() -> {
      long now = System.nanoTime();
      return new GatewayStatus(
          settings.name(),
          settings.tun(),
          settings.mtu(),
          settings.deliveryMode().words(),
          Math.round((now - begunNanos) / 1e6) / 1e3,
          forwarder.counts(),
          tun == null ? 0 : tun.refused(),
          tun == null ? Segmenter.Counts.NONE : tun.segmented(),
          acceptor == null ? 0 : acceptor.refused(),
          links.all().stream().map(link -> link.status(now)).toList());
    });
  }

  private <T> T onLoop(Callable<T> task) {
    return LoopTasks.ask(loop, task);
  }

  /** Notifies the peers, and restores the kernel's routes. */
  @Override
  public void close() {
    if (!loops.isShuttingDown()) {
      loop.execute(() -> {
        links.all().forEach(TunnelLink::end);
        if (tun != null) {
          tun.close();
        }
      });
      loops
          .shutdownGracefully(FAREWELL_MILLIS, 1_000, TimeUnit.MILLISECONDS)
          .awaitUninterruptibly(2_000);
    }
    if (routes != null) {
      routes.tearDown();
    }
  }

  private final class Ports implements Forwarder.Ports {
    @Override
    public boolean isDown(int port) {
      return port != Forwarder.LOCAL && links.isDown(port, System.nanoTime());
    }

    @Override
    public void send(int port, IpPacket packet) {
      if (port != Forwarder.LOCAL) {
        links.send(port, packet);
      } else if (tun != null) {
        tun.write(packet.bytes());
      }
    }

    @Override
    public int mtu(int port) {
      return port == Forwarder.LOCAL ? settings.mtu() : links.mtu(port, settings.mtu());
    }
  }
}
