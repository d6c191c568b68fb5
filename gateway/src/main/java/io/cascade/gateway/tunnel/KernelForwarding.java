package io.cascade.gateway.tunnel;

import io.cascade.command.CommandException;
import io.cascade.packets.header.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks whether the kernel forwards packets between its devices, in the calling thread's network.
 */
final class KernelForwarding {
  private static final Path V4 = Path.of("/proc/sys/net/ipv4/ip_forward");
  private static final Path V6 = Path.of("/proc/sys/net/ipv6/conf/all/forwarding");

  private KernelForwarding() {}

  /**
   * @throws CommandException that names the setting, where a gateway would carry nothing
   */
  static void check(GatewaySettings settings) {
    if (!isOn(V4)) {
      throw new CommandException(
          "the kernel does not forward packets here: sysctl -w net.ipv4.ip_forward=1");
    }
    settings.addresses().forEach(KernelForwarding::check);
    settings.routes().forEach(route -> check(route.prefix().address()));
  }

  /**
   * Looks at the version of an address.
   *
   * @throws CommandException that names the setting
   */
  static void check(IpAddress address) {
    if (address.bits() == IpAddress.V6_BITS && !isOn(V6)) {
      throw new CommandException(
          "the kernel does not forward IPv6 packets here: sysctl -w net.ipv6.conf.all.forwarding=1");
    }
  }

  private static boolean isOn(Path setting) {
    try {
      return Files.exists(setting) && Files.readString(setting).strip().equals("1");
    } catch (IOException e) {
      throw new CommandException("gateway needs Linux", e);
    }
  }
}
