package io.cascade.packets.forward;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ports by destination address, by the longest prefix. */
public final class RouteTable {
  /** No prefix contains the address. */
  public static final int NONE = -1;

  private final List<Entry> entries;

  /**
   * A prefix behind a port.
   *
   * @param port 0 or above
   */
  public record Entry(IpPrefix prefix, int port) {}

  public RouteTable(List<Entry> entries) {
    this.entries =
        entries.stream()
            .sorted(Comparator.comparingInt((Entry entry) -> entry.prefix().length()).reversed())
            .toList();
  }

  /** Returns the port, or {@link #NONE}. */
  public int find(IpAddress address) {
    Entry entry = entry(address);
    return entry == null ? NONE : entry.port();
  }

  /** Returns the longest prefix that contains the address; null if there is none. */
  public @Nullable Entry entry(IpAddress address) {
    for (Entry entry : entries) {
      if (entry.prefix().contains(address)) {
        return entry;
      }
    }
    return null;
  }
}
