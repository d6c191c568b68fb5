package io.cascade.gateway.tunnel;

import io.cascade.command.Complaint;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.forward.Forwarder;
import io.cascade.packets.forward.ForwarderSettings;
import io.cascade.packets.forward.IpPacket;
import io.cascade.packets.forward.RouteTable;
import io.cascade.packets.header.IpAddress;
import io.cascade.relay.transport.Transport;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A gateway of the tunnel: a TUN device, links to other gateways, and a forwarder between them, on
 * one event loop. One between two others has no TUN device.
 */
public final class Gateway implements AutoCloseable {
  private static final Path FORWARDING = Path.of("/proc/sys/net/ipv4/ip_forward");
  private static final long TICK_MILLIS = 200;
  private static final long FAREWELL_MILLIS = 100;

  private final GatewaySettings settings;
  private final MultiThreadIoEventLoopGroup loops;
  private final EventLoop loop;
  private final Forwarder forwarder;
  private final List<TunnelLink> links = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final long begunNanos = System.nanoTime();
  private @Nullable TunPort tun;
  private @Nullable TunnelRoutes routes;
  private @Nullable LinkAcceptor acceptor;
  private volatile @Nullable String failure;

  private Gateway(GatewaySettings settings) {
    this.settings = settings;
    this.loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    this.loop = loops.next();
    this.forwarder =
        new Forwarder(
            new ForwarderSettings(
                new RouteTable(
                    settings.routes().stream()
                        .map(route -> new RouteTable.Route(route.prefix(), route.link() + 1))
                        .toList()),
                settings.tun() != null,
                settings.addresses(),
                settings.clampsSegments()),
            new Ports());
  }

  /**
   * Opens devices, routes and sockets of the calling thread's network; carries packets from then
   * on.
   *
   * @throws Complaint that names what is missing
   */
  public static Gateway open(GatewaySettings settings) {
    Map<LinkSettings, byte[]> keys = new HashMap<>();
    settings.links().forEach(link -> keys.put(link, KeyFile.read(link.keyFile())));
    checkOwnRoutes(settings);
    if (settings.tun() != null) {
      checkForwarding();
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

  /** A gateway whose own datagrams went into the tunnel would go round for ever. */
  private static void checkOwnRoutes(GatewaySettings settings) {
    for (LinkSettings link : settings.links()) {
      InetSocketAddress remote = link.remote();
      if (remote == null) {
        continue;
      }
      IpAddress address = IpAddress.of(remote.getAddress().getAddress());
      for (GatewaySettings.LinkRoute route : settings.routes()) {
        if (route.prefix().contains(address)) {
          throw new Complaint(
              "the gateway %s, %s, is inside the route %s: its own datagrams would go into the tunnel. Give longer prefixes without it"
                  .formatted(link.peer(), address, route.prefix()));
        }
      }
    }
  }

  private static void checkForwarding() {
    try {
      if (!Files.readString(FORWARDING).strip().equals("1")) {
        throw new Complaint(
            "the kernel does not forward packets here: sysctl -w net.ipv4.ip_forward=1");
      }
    } catch (IOException e) {
      throw new Complaint("gateway needs Linux", e);
    }
  }

  private void start(Map<LinkSettings, byte[]> keys) {
    SecureRandom random = new SecureRandom();
    for (int i = 0; i < settings.links().size(); i++) {
      int port = i + 1;
      links.add(
          new TunnelLink(
              loop,
              settings,
              settings.links().get(i),
              random.nextLong(),
              packet -> forwarder.arrived(port, packet, packet.length, System.nanoTime())));
    }
    listen(keys);
    openTun();
    onLoop(() -> {
      links.forEach(link -> link.start(keys.getOrDefault(link.settings(), new byte[0])));
      loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    });
  }

  private void listen(Map<LinkSettings, byte[]> keys) {
    InetSocketAddress at = settings.listen();
    if (at == null) {
      return;
    }
    Map<String, byte[]> byName = new HashMap<>();
    Map<String, TunnelLink> linkByName = new HashMap<>();
    for (TunnelLink link : links) {
      if (!link.settings().dials()) {
        String name =
            new String(
                LinkSettings.helloName(
                    link.settings().peer(), settings.conveyance(), settings.mtu()),
                StandardCharsets.US_ASCII);
        byName.put(name, keys.getOrDefault(link.settings(), new byte[0]));
        linkByName.put(name, link);
      }
    }
    try {
      acceptor = LinkAcceptor.listen(loop, at, byName, linkByName);
    } catch (IOException e) {
      throw new Complaint(
          "cannot listen at %s: %s. Choose another one with --listen".formatted(at, e.getMessage()),
          e);
    }
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
            settings.routes().stream().map(GatewaySettings.LinkRoute::prefix).toList(),
            settings.table());
    TunPort port =
        new TunPort(
            TunDevice.make(name),
            (bytes, length) -> forwarder.arrived(Forwarder.LOCAL, bytes, length, System.nanoTime()),
            () -> fail("the device " + name + " was removed: start the gateway again"));
    tun = port;
    routes = made;
    made.tearDown(); // What one that was killed has left.
    made.setUp();
    port.register(loop);
  }

  private void tick() {
    long now = System.nanoTime();
    links.forEach(link -> link.tick(now));
  }

  private void fail(String why) {
    failure = why;
    ended.countDown();
  }

  /**
   * Waits for {@link #stop}.
   *
   * @throws Complaint where the gateway cannot go on
   */
  public void awaitEnd() throws InterruptedException {
    ended.await();
    String why = failure;
    if (why != null) {
      throw new Complaint(why);
    }
  }

  /** Ends {@link #awaitEnd}, from any thread. */
  public void stop() {
    ended.countDown();
  }

  /** What it has done, from any thread. */
  public GatewayStatus status() {
    return onLoop(() -> {
      long now = System.nanoTime();
      return new GatewayStatus(
          settings.name(),
          settings.tun(),
          settings.mtu(),
          settings.conveyance().words(),
          Math.round((now - begunNanos) / 1e6) / 1e3,
          forwarder.counts(),
          tun == null ? 0 : tun.refused(),
          acceptor == null ? 0 : acceptor.refused(),
          links.stream().map(link -> link.status(now)).toList());
    });
  }

  private <T> T onLoop(Callable<T> task) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> {
      try {
        answer.complete(task.call());
      } catch (Exception e) {
        answer.completeExceptionally(e);
      }
    });
    return answer.join();
  }

  /** Tells the peers, and gives the kernel its routes back. */
  @Override
  public void close() {
    if (!loops.isShuttingDown()) {
      loop.execute(() -> {
        links.forEach(TunnelLink::end);
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
    public void send(int port, IpPacket packet) {
      if (port != Forwarder.LOCAL) {
        links.get(port - 1).send(packet);
      } else if (tun != null) {
        tun.write(packet.bytes());
      }
    }

    @Override
    public int mtu(int port) {
      return port == Forwarder.LOCAL ? settings.mtu() : links.get(port - 1).mtu();
    }
  }
}
