package io.cascade.testbed.lab;

import io.cascade.command.Complaint;
import io.cascade.testbed.namespaces.NetworkNamespace;
import io.cascade.testbed.namespaces.TunDevice;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One site's network, made by the lab's process: its settings, devices, address and routes. */
final class SiteNetwork implements AutoCloseable {
  private static final Path IPV4 = Path.of("/proc/sys/net/ipv4");

  private final String address;
  private final NetworkNamespace namespace;
  private final List<String> commands = new ArrayList<>();
  private final Map<String, String> devices = new LinkedHashMap<>();

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

  private static void settings(String congestionControl) throws IOException {
    set(IPV4.resolve("ip_forward"), "1");
    set(IPV4.resolve("conf/all/rp_filter"), "0");
    set(IPV4.resolve("conf/default/rp_filter"), "0");
    // A lost route probe or neighbour search of IPv6 would be drawn from the link's losses.
    Path ipv6 = Path.of("/proc/sys/net/ipv6/conf");
    if (Files.exists(ipv6)) {
      set(ipv6.resolve("all/disable_ipv6"), "1");
      set(ipv6.resolve("default/disable_ipv6"), "1");
    }
    // What one connection learned of a path must not help the next one: runs would not be alike.
    set(IPV4.resolve("tcp_no_metrics_save"), "1");
    // Room for the longest and fattest paths: 64 MiB are 1 Gbit/s over half a second.
    set(IPV4.resolve("tcp_rmem"), "4096 131072 67108864");
    set(IPV4.resolve("tcp_wmem"), "4096 65536 67108864");
    // Many probes and refused connections in a short time are what experiments do.
    set(IPV4.resolve("icmp_ratelimit"), "0");
    CongestionControls.choose(congestionControl);
  }

  private static void set(Path setting, String value) throws IOException {
    if (Files.exists(setting)) {
      Files.writeString(setting, value);
    }
  }

  /** A device towards a neighbour, in this network. */
  TunDevice device(String neighbour, int mtu) {
    String name = neighbour.length() <= 12 ? "to-" + neighbour : "to-link" + devices.size();
    TunDevice device = namespace.call(() -> TunDevice.make(name));
    devices.put(neighbour, name);
    // Long enough that a burst of a whole window waits for the emulator and is not lost before it.
    commands.add("link set %s mtu %d txqueuelen 10000 up".formatted(name, mtu));
    return device;
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
        "route add %s/32 dev %s src %s".formatted(toAddress, deviceTo(neighbour), address));
  }

  void mtu(String neighbour, int mtu) {
    ip(List.of("link set %s mtu %d".formatted(deviceTo(neighbour), mtu)));
  }

  /** Carries out what was gathered. */
  void configure() {
    ip(commands);
    commands.clear();
  }

  private void ip(List<String> lines) {
    namespace.call(() -> {
      Process ip = new ProcessBuilder("ip", "-batch", "-").redirectErrorStream(true).start();
      try (Writer input = ip.outputWriter(StandardCharsets.UTF_8)) {
        input.write(String.join("\n", lines) + "\n");
      }
      String said = new String(ip.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (ip.waitFor() != 0) {
        throw new Complaint("ip: " + said.strip().replace('\n', ' '));
      }
      return true;
    });
  }

  @Override
  public void close() {
    namespace.close();
  }
}
