package io.cascade.gateway.tunnel;

import io.cascade.coding.crypto.Dialling;
import java.util.ArrayList;
import java.util.List;

/**
 * Length of the datagrams of the next handshake. What was agreed on last is dialled twice; after
 * that every dial takes the next shorter length, and behind the shortest the longest again. So a
 * gateway that is absent for a while does not shorten a link for good, and a path that takes less
 * gets a link.
 */
final class DatagramSizes {
  /**
   * Lengths to go down to. With UDP and IPv4 before them: 1,400 bytes, which most tunnels take, as
   * WireGuard over IPv6 (1,420 with UDP and IPv6); what carries IPv6 packets of 1,280 bytes, the
   * least MTU that IPv6 has; and what every path is expected to take.
   */
  private static final List<Integer> SHORTER = List.of(1_372, 1_324, Dialling.LEAST_DATAGRAM_BYTES);

  private static final int TRIES_OF_LAST = 2;

  private final List<Integer> sizes = new ArrayList<>();
  private int at;
  private int failures;
  private int searches;

  /**
   * @param longest that the gateway's packets need
   */
  DatagramSizes(int longest) {
    sizes.add(longest);
    SHORTER.stream().filter(size -> size < longest).forEach(sizes::add);
  }

  /** The length of the dial that comes. */
  int size() {
    return sizes.get(at);
  }

  /** A dial of that length got no answer. */
  void failed() {
    failures++;
    if (failures >= TRIES_OF_LAST) {
      at = (at + 1) % sizes.size();
    }
  }

  /** How often all lengths were dialled for nothing. */
  int rounds() {
    return failures / (sizes.size() + TRIES_OF_LAST - 1);
  }

  /** A length was agreed on: the next session begins with it. */
  void agreed(int size) {
    at = Math.max(0, sizes.indexOf(size));
    failures = 0;
    searches = 0;
  }

  /** Whether a longer one than what was agreed on is wanted. */
  boolean mayGrow() {
    return at > 0;
  }

  /** A length to look for above what was agreed on: the longer ones in turn, the longest first. */
  int longer() {
    return sizes.get(searches++ % at);
  }
}
