package io.cascade.client.ways;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the address at which senders reach a receiver, as far as its host can tell. */
public final class ReceiveAddress {
  /** Addresses that RFC 5737 and RFC 3849 reserve; the route lookup sends nothing to them. */
  private static final List<String> OUTWARDS = List.of("192.0.2.1", "2001:db8::1");

  private ReceiveAddress() {}

  /**
   * Source address of this host's default route. Without such a route, an address of a device that
   * is up; without such an address, the host's name.
   */
  public static String outwards() {
    return first(onRoutesOutwards(), ofDevices())
        .map(ReceiveAddress::withoutScope)
        .orElseGet(ReceiveAddress::name);
  }

  /**
   * The address without its scope, the name of a device of this host, which means nothing to other
   * hosts.
   */
  static String withoutScope(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress()).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // Cannot happen: the bytes are those of an address.
    }
  }

  /**
   * The address by which other hosts may reach this one.
   *
   * @param onRoutes source addresses of the default routes that exist
   * @param ofDevices addresses of all devices that are up
   * @return among the devices' addresses IPv4 is preferred to IPv6; empty where all are loopback or
   *     link-local
   */
  static Optional<InetAddress> first(List<InetAddress> onRoutes, List<InetAddress> ofDevices) {
    return Stream.concat(
            onRoutes.stream(),
            ofDevices.stream()
                .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address))))
        .filter(address ->
            !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress())
        .findFirst();
  }

  private static List<InetAddress> onRoutesOutwards() {
    return OUTWARDS.stream().map(ReceiveAddress::onRouteTo).flatMap(Optional::stream).toList();
  }

  private static Optional<InetAddress> onRouteTo(String address) {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(new InetSocketAddress(address, 9));
      return Optional.of(((InetSocketAddress) channel.getLocalAddress()).getAddress());
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // There is no such route.
    }
  }

  private static List<InetAddress> ofDevices() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(ReceiveAddress::reachesOthers)
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .flatMap(NetworkInterface::inetAddresses)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  private static boolean reachesOthers(NetworkInterface device) {
    try {
      return device.isUp() && !device.isLoopback();
    } catch (SocketException e) {
      return false; // The device has been removed.
    }
  }

  private static String name() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "127.0.0.1";
    }
  }
}
