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

/** Where senders find a receiver, as far as its host can tell. */
public final class ReceiveAddress {
  /** An address that RFC 5737 reserves; nothing is sent to it. */
  private static final InetSocketAddress OUTWARDS = new InetSocketAddress("192.0.2.1", 9);

  private ReceiveAddress() {}

  /**
   * This host's address on its route outwards. Where it has no such route, an address of a device
   * that is up; its name where it has none of these either.
   */
  public static String outwards() {
    return first(onRouteOutwards(), ofDevices())
        .map(InetAddress::getHostAddress)
        .orElseGet(ReceiveAddress::name);
  }

  /**
   * The address by which others may reach this host.
   *
   * @param onRoute what the route outwards has, if there is one
   * @param ofDevices addresses of all devices that are up
   * @return of the devices' addresses one of IPv4 sooner than one of IPv6; empty where they are of
   *     this host or of one link alone
   */
  static Optional<InetAddress> first(Optional<InetAddress> onRoute, List<InetAddress> ofDevices) {
    return Stream.concat(
            onRoute.stream(),
            ofDevices.stream()
                .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address))))
        .filter(address ->
            !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress())
        .findFirst();
  }

  private static Optional<InetAddress> onRouteOutwards() {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(OUTWARDS);
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
      return false; // It is gone.
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
