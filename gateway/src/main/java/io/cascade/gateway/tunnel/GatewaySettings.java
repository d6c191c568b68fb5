package io.cascade.gateway.tunnel;

import io.cascade.packets.forward.Forwarder;
import io.cascade.packets.forward.RouteTable;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.queue.QueueLimits;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a gateway.
 *
 * @param name by which its peers know it
 * @param tun its TUN device; null for a gateway between two others
 * @param addresses its own, IPv4 and IPv6
 * @param listen address that other gateways dial; null where none does
 * @param mtu longest packet that it carries, in bytes
 * @param caution z of the redundancy: 0 for bulk, 1 where delay counts more than rate
 * @param table routing table and preference of the rules that route packets to the TUN device
 */
public record GatewaySettings(
    String name,
    @Nullable String tun,
    List<IpAddress> addresses,
    @Nullable InetSocketAddress listen,
    List<LinkSettings> links,
    List<LinkRoute> routes,
    int mtu,
    DeliveryMode deliveryMode,
    double caution,
    QueueLimits queue,
    boolean clampsSegments,
    int table) {
  /** Coded, a packet of this length makes a datagram of 1,444 bytes. */
  public static final int USUAL_MTU = 1_400;

  static final int MOST_MTU = 1_428;
  static final int LEAST_MTU = 576;

  /**
   * A prefix behind a link, or one of the gateway's own side within such a prefix.
   *
   * @param link index of the link, or {@link #LOCAL}
   */
  public record LinkRoute(IpPrefix prefix, int link) {
    /** Routed by the kernel's own routes. */
    public static final int LOCAL = -1;

    boolean isLocal() {
      return link == LOCAL;
    }

    /** The forwarder's entry, which counts ports of links from 1. */
    RouteTable.Entry entry() {
      return new RouteTable.Entry(prefix, isLocal() ? Forwarder.LOCAL : link + 1);
    }
  }

  public GatewaySettings {
    addresses = List.copyOf(addresses);
    links = List.copyOf(links);
    routes = List.copyOf(routes);
    if (mtu < LEAST_MTU || mtu > MOST_MTU) {
      throw new IllegalArgumentException(
          "MTU: %d (expected: %d to %d)".formatted(mtu, LEAST_MTU, MOST_MTU));
    }
  }
}
