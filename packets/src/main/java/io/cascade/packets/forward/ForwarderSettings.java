package io.cascade.packets.forward;

import io.cascade.packets.header.IpAddress;
import java.util.List;

/**
 * Settings of a forwarder.
 *
 * @param routes initial routes
 * @param hasLocal whether there is a local side, to which all addresses without a route belong
 * @param own addresses of this gateway; it sends ICMP from the first of a packet's version
 * @param clampsSegments whether the segment size that SYNs announce is lowered to what fits the
 *     path
 */
public record ForwarderSettings(
    RouteTable routes, boolean hasLocal, List<IpAddress> own, boolean clampsSegments) {
  public ForwarderSettings {
    own = List.copyOf(own);
  }
}
