package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.gateway.ip.IpCommand;
import io.cascade.gateway.tunnel.GatewaySettings.LinkRoute;
import io.cascade.kernel.CLibrary;
import io.cascade.kernel.Kernel;
import io.cascade.kernel.NetworkNamespace;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.queue.QueueLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gateways in networks of their own, the kernels of which are the routers; this test is the hosts
 * 10.1.0.2 and 10.2.0.2. Needs root.
 *
 * <pre>
 * host ─ lan0 ─ near ─ wan0 ─ 192.0.2.0/24 ─ wan0 ─ far ─ lan0 ─ host
 * </pre>
 */
abstract class GatewayNetworks {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final InetSocketAddress FAR = new InetSocketAddress("192.0.2.2", 7_800);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path folder;

  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment packet = Arena.ofAuto().allocate(2_048);
  final List<Gateway> opened = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();
  private final List<Network> networks = new ArrayList<>();

  /** A router with its host. */
  record Network(NetworkNamespace space, int lan) {}

  @BeforeEach
  void networks() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
            && Files.exists(Path.of("/dev/net/tun")),
        "SKIPPED: needs root and /dev/net/tun");
    Path key = folder.resolve("key");
    Files.writeString(key, "5a".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    networks.add(network(1));
    networks.add(network(2));
    int far = space(1).threadId();
    inNetwork(
        0, () -> IpCommand.run(List.of("link add wan0 type veth peer name wan0 netns " + far)));
    for (int i = 0; i < 2; i++) {
      int host = i + 1;
      inNetwork(
          i,
          () ->
              IpCommand.run(
                  List.of(
                      "address add 192.0.2.%d/24 dev wan0".formatted(host), "link set wan0 up")));
    }
  }

  private static Network network(int number) {
    NetworkNamespace space = NetworkNamespace.make("gateway" + number);
    int lan =
        space.call(() -> {
          set("ipv4/ip_forward", "1");
          set("ipv4/conf/all/rp_filter", "0");
          set("ipv4/conf/default/rp_filter", "0");
          set("ipv6/conf/default/disable_ipv6", "1");
          int descriptor = TunDevice.make("lan0").descriptor();
          IpCommand.run(
              List.of(
                  "link set lo up",
                  "link set lan0 up",
                  "address add 10.%d.0.1/24 dev lan0".formatted(number)));
          return descriptor;
        });
    return new Network(space, lan);
  }

  @AfterEach
  void remove() {
    closings.forEach(Runnable::run);
    for (Network network : networks) {
      Kernel.close(network.lan());
      network.space().close();
    }
  }

  static GatewaySettings bare(
      String name, String address, @org.jspecify.annotations.Nullable InetSocketAddress listen) {
    return new GatewaySettings(
        name,
        "tunnel0",
        List.of(PrefixText.address(address)),
        listen,
        List.of(),
        List.of(),
        1_400,
        DeliveryMode.DATAGRAM,
        0,
        QueueLimits.USUAL,
        true,
        7_800);
  }

  Gateway near(DeliveryMode deliveryMode) {
    return open(0, settings("near", "10.1.0.1", null, toFar(), "10.2.0.0/16", deliveryMode));
  }

  LinkSettings toFar() {
    return new LinkSettings("far", FAR, folder.resolve("key"));
  }

  LinkSettings fromNear() {
    return new LinkSettings("near", null, folder.resolve("key"));
  }

  Gateway far(DeliveryMode deliveryMode) {
    return open(1, settings("far", "10.2.0.1", FAR, fromNear(), "10.1.0.0/16", deliveryMode));
  }

  Gateway open(int network, GatewaySettings settings) {
    Gateway gateway = space(network).call(() -> Gateway.open(settings));
    opened.add(gateway);
    closings.add(() -> inNetwork(network, gateway::close)); // The rules there are its own.
    return gateway;
  }

  static GatewaySettings settings(
      String name,
      String address,
      @org.jspecify.annotations.Nullable InetSocketAddress listen,
      LinkSettings link,
      String route,
      DeliveryMode deliveryMode) {
    return settings(name, address, listen, link, List.of(behindLink(route)), deliveryMode);
  }

  static LinkRoute behindLink(String prefix) {
    return new LinkRoute(PrefixText.prefix(prefix), 0);
  }

  static LinkRoute local(String prefix) {
    return new LinkRoute(PrefixText.prefix(prefix), LinkRoute.LOCAL);
  }

  static GatewaySettings settings(
      String name,
      String address,
      @org.jspecify.annotations.Nullable InetSocketAddress listen,
      LinkSettings link,
      List<LinkRoute> routes,
      DeliveryMode deliveryMode) {
    return new GatewaySettings(
        name,
        "tunnel0",
        List.of(PrefixText.address(address)),
        listen,
        List.of(link),
        routes,
        1_400,
        deliveryMode,
        0,
        QueueLimits.USUAL,
        true,
        7_800);
  }

  NetworkNamespace space(int network) {
    return networks.get(network).space();
  }

  void inNetwork(int network, Runnable task) {
    space(network)
        .call(() -> {
          task.run();
          return true;
        });
  }

  /** Rules of IPv4 as the kernel of a network has them. */
  List<String> rules(int network) {
    return space(network).call(() -> IpCommand.show(List.of("-N", "rule", "show")));
  }

  void awaitUp(int gateway) {
    await()
        .atMost(PATIENCE)
        .until(() -> opened.get(gateway).status().links().getFirst().state() == LinkState.UP);
  }

  /** Sends again and again, as a host would, until one has arrived. */
  void assertPasses(int from, int to, int length) {
    byte[] sent = udp("10.%d.0.2".formatted(from + 1), "10.%d.0.2".formatted(to + 1), length);
    await()
        .atMost(PATIENCE)
        .until(() -> {
          sends(from, sent);
          byte[] came = read(to);
          return came.length == length && came[9] == 17;
        });
    while (read(to).length > 0) {
      // What was sent meanwhile.
    }
  }

  void sends(int network, byte[] bytes) {
    MemorySegment.copy(bytes, 0, packet, ValueLayout.JAVA_BYTE, 0, bytes.length);
    assertThat(Kernel.write(state, networks.get(network).lan(), packet.address(), bytes.length))
        .isEqualTo(bytes.length);
  }

  byte[] read(int network) {
    long length =
        Kernel.read(state, networks.get(network).lan(), packet.address(), packet.byteSize());
    byte[] bytes = new byte[(int) Math.max(0, length)];
    MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
    return bytes;
  }

  /** The next packet of a protocol that leaves for the host. */
  byte[] comes(int network, int protocol) {
    return await()
        .atMost(PATIENCE)
        .until(() -> read(network), came -> came.length > 20 && came[9] == protocol);
  }

  static byte[] udp(String from, String to, int length) {
    return ip(from, to, 17, length);
  }

  static byte[] icmpEcho(String from, String to) {
    byte[] bytes = ip(from, to, 1, 28);
    bytes[20] = 8;
    int checksum = InternetChecksum.of(InternetChecksum.sum(bytes, 20, 28, 0));
    bytes[22] = (byte) (checksum >>> 8);
    bytes[23] = (byte) checksum;
    return bytes;
  }

  static byte[] ip(String from, String to, int protocol, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.put((byte) 0x45).put((byte) 0).putShort((short) length).putInt(0);
    bytes.put((byte) 64).put((byte) protocol).putShort((short) 0);
    bytes.put(PrefixText.address(from).bytes()).put(PrefixText.address(to).bytes());
    if (protocol == 17) {
      bytes.putShort((short) 1_000).putShort((short) 9).putShort((short) (length - 20));
    }
    return checked(bytes.array());
  }

  static byte[] checked(byte[] bytes) {
    bytes[10] = 0;
    bytes[11] = 0;
    int checksum = InternetChecksum.of(InternetChecksum.sum(bytes, 0, 20, 0));
    bytes[10] = (byte) (checksum >>> 8);
    bytes[11] = (byte) checksum;
    return bytes;
  }

  static void set(String setting, String value) throws Exception {
    Files.writeString(Path.of("/proc/sys/net", setting), value);
  }
}
