package io.cascade.packets.forward;

import io.cascade.packets.header.IpAddress;
import java.util.List;

/**
 * Settings of a forwarder.
 *
 * @param routes that it begins with
 * @param hasLocal whether there is a local side, to which all belongs that no route names
 * @param own addresses of this gateway; it answers with ICMP from the first of a packet's version
 * @param clampsSegments whether SYNs announce no larger segments than fit the way
 */
public record ForwarderSettings(
    RouteTable routes, boolean hasLocal, List<IpAddress> own, boolean clampsSegments) {
  public ForwarderSettings {
    own = List.copyOf(own);
  }
}
