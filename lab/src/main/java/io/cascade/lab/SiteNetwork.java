package io.cascade.lab;

import io.cascade.kernel.NetworkNamespace;
import io.cascade.kernel.TunDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * One site's network namespace, created by the lab's process: its settings, devices, address and
 * routes.
 */
final class SiteNetwork implements AutoCloseable {
  private static final Path IPV4 = Path.of("/proc/sys/net/ipv4");

  private final String address;
  private final NetworkNamespace namespace;
  private final List<String> commands = new ArrayList<>();
  private final Map<String, String> devices = new LinkedHashMap<>();
  private final Map<String, String> gateways = new LinkedHashMap<>();

  SiteNetwork(Topology.SiteSpec site, String address) {
    this.address = address;
    this.namespace = NetworkNamespace.make(site.name());
    namespace.call(() -> {
      settings(site.congestionControl());
      return true;
    });
    commands.add("link set lo up");
    commands.add("address add %s/32 dev lo".formatted(address));
  }

  String address() {
    return address;
  }

  String path() {
    return namespace.path();
  }

  /** Runs a task in this namespace, to which the sockets that it opens belong. */
  <T> T call(Callable<T> task) {
    return namespace.call(task);
  }

  private static void settings(String congestionControl) throws IOException {
    set(IPV4.resolve("ip_forward"), "1");
    set(IPV4.resolve("conf/all/rp_filter"), "0");
    set(IPV4.resolve("conf/default/rp_filter"), "0");
    withoutIpv6();
    // Metrics of one connection must not affect the next one, so that runs are comparable.
    set(IPV4.resolve("tcp_no_metrics_save"), "1");
    // Windows for the greatest bandwidth-delay products: 64 MiB are 1 Gbit/s over half a second.
    set(IPV4.resolve("tcp_rmem"), "4096 131072 67108864");
    set(IPV4.resolve("tcp_wmem"), "4096 65536 67108864");
    // Experiments send many probes and refused connections in a short time.
    set(IPV4.resolve("icmp_ratelimit"), "0");
    CongestionControls.choose(congestionControl);
  }

  /**
   * Disables IPv6 in the calling thread's network namespace: its router and neighbour discovery
   * would cross links and consume their random losses.
   */
  static void withoutIpv6() throws IOException {
    Path ipv6 = Path.of("/proc/sys/net/ipv6/conf");
    set(ipv6.resolve("all/disable_ipv6"), "1");
    set(ipv6.resolve("default/disable_ipv6"), "1");
  }

  private static void set(Path setting, String value) throws IOException {
    if (Files.exists(setting)) {
      Files.writeString(setting, value);
    }
  }

  /** Creates a device towards a neighbour, in this namespace. */
  TunDevice device(String neighbour, int mtu) {
    String name = newName(neighbour);
    TunDevice device = namespace.call(() -> TunDevice.make(name));
    // Long enough that a burst of a whole window waits for the emulator and is not dropped before
    // it.
    commands.add("link set %s mtu %d txqueuelen 10000 up".formatted(name, mtu));
    return device;
  }

  /**
   * Creates a virtual Ethernet device towards a neighbour, whose peer is in a namespace between the
   * two.
   *
   * @param port name of the peer device
   */
  void ethernet(SiteNetwork neighbour, String name, int mtu, NetworkNamespace middle, String port) {
    String device = newName(name);
    // Neighbours are configured statically, since ARP would cross the link and be lost on it.
    // Packets of one segment each, since the kernel would lose a whole aggregate as one.
    ip(
        List.of(
            "link add %s mtu %d address %s type veth peer name %s netns %d"
                .formatted(device, mtu, hardware(address), port, middle.threadId()),
            "link set %s gso_max_segs 1 txqueuelen 10000 up".formatted(device),
            "neigh add %s lladdr %s dev %s nud permanent"
                .formatted(neighbour.address, hardware(neighbour.address), device)));
    gateways.put(name, "via %s dev %s onlink".formatted(neighbour.address, device));
  }

  /** Locally administered hardware address, derived from the IP address. */
  private static String hardware(String address) {
    return "02:00:0a:4d:00:%02x".formatted(Integer.parseInt(address.replaceFirst(".*\\.", "")));
  }

  private String newName(String neighbour) {
    String name = neighbour.length() <= 12 ? "to-" + neighbour : "to-link" + devices.size();
    devices.put(neighbour, name);
    return name;
  }

  String deviceTo(String neighbour) {
    String device = devices.get(neighbour);
    if (device == null) {
      throw new IllegalArgumentException("no link to " + neighbour);
    }
    return device;
  }

  void route(String toAddress, String neighbour) {
    commands.add(
        "route add %s/32 %s src %s"
            .formatted(
                toAddress,
                gateways.getOrDefault(neighbour, "dev " + deviceTo(neighbour)),
                address));
  }

  void mtu(String neighbour, int mtu) {
    ip(List.of("link set %s mtu %d".formatted(deviceTo(neighbour), mtu)));
  }

  /** Applies the collected commands. */
  void configure() {
    ip(commands);
    commands.clear();
  }

  private void ip(List<String> lines) {
    NetworkCommands.run(namespace, List.of("ip"), lines);
  }

  @Override
  public void close() {
    namespace.close();
  }
}
