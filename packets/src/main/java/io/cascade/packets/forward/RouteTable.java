package io.cascade.packets.forward;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.util.Comparator;
import java.util.List;

/** Which port leads to an address: that of the longest prefix with it. */
public final class RouteTable {
  /** No prefix has the address. */
  public static final int NONE = -1;

  private final List<Route> routes;

  /**
   * A prefix behind a port.
   *
   * @param port 0 or above
   */
  public record Route(IpPrefix prefix, int port) {}

  public RouteTable(List<Route> routes) {
    this.routes =
        routes.stream()
            .sorted(Comparator.comparingInt((Route route) -> route.prefix().length()).reversed())
            .toList();
  }

  /** The port, or {@link #NONE}. */
  public int find(IpAddress address) {
    for (Route route : routes) {
      if (route.prefix().contains(address)) {
        return route.port();
      }
    }
    return NONE;
  }

  /** Longest prefixes first. */
  public List<Route> routes() {
    return routes;
  }
}
