package io.cascade.gateway.tunnel;

import io.cascade.packets.forward.IpPacket;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A gateway's links by their ports, which are counted from 1 and never reused. Used on the event
 * loop, once it runs.
 */
final class LinkTable {
  private final Map<Integer, TunnelLink> links = new LinkedHashMap<>();
  private int ports;

  /** Adds a link that is created for the next port. */
  TunnelLink add(IntFunction<TunnelLink> make) {
    ports++;
    TunnelLink link = make.apply(ports);
    links.put(ports, link);
    return link;
  }

  /** Removes a peer's link; returns null where there is none. */
  @Nullable TunnelLink remove(String peer) {
    return links.remove(port(peer));
  }

  /** The port of a peer's link; 0 where there is none. */
  int port(String peer) {
    return links.entrySet().stream()
        .filter(each -> each.getValue().settings().peer().equals(peer))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(0);
  }

  /** All links, in the order in which they were added. */
  Collection<TunnelLink> all() {
    return List.copyOf(links.values());
  }

  /** Passes a packet to a link; it is dropped if the link was removed. */
  void send(int port, IpPacket packet) {
    TunnelLink link = links.get(port);
    if (link != null) {
      link.send(packet);
    }
  }

  /** Whether the link of a port has been without a session for long. */
  boolean isDown(int port, long nowNanos) {
    TunnelLink link = links.get(port);
    return link != null && link.isDown(nowNanos);
  }

  /** The longest packet of a port's link; the given one where the link was removed. */
  int mtu(int port, int otherwise) {
    TunnelLink link = links.get(port);
    return link == null ? otherwise : link.mtu();
  }
}
