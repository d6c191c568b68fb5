package io.cascade.gateway.tunnel;

import io.cascade.command.CommandException;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.packets.header.IpAddress;

/**
 * Checks whether the kernel forwards packets between its devices, in the calling thread's network
 * namespace.
 */
final class KernelForwarding {
  private static final String V4 = "net.ipv4.ip_forward";
  private static final String V6 = "net.ipv6.conf.all.forwarding";

  private KernelForwarding() {}

  /**
   * @throws CommandException that names the setting, where the gateway would carry nothing
   */
  static void check(GatewaySettings settings) {
    if (!isOn(V4)) {
      throw new CommandException(
          "the kernel does not forward packets here; fix: sysctl -w net.ipv4.ip_forward=1");
    }
    settings.addresses().forEach(KernelForwarding::check);
    settings.routes().forEach(route -> check(route.prefix().address()));
  }

  /**
   * Checks the setting for the version of an address.
   *
   * @throws CommandException that names the setting
   */
  static void check(IpAddress address) {
    if (address.bits() == IpAddress.V6_BITS && !isOn(V6)) {
      throw new CommandException(
          "the kernel does not forward IPv6 packets here; fix: sysctl -w"
              + " net.ipv6.conf.all.forwarding=1");
    }
  }

  private static boolean isOn(String setting) {
    return KernelSettings.ofThisHost().read(setting).equals("1");
  }
}
