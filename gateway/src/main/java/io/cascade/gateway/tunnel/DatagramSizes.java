package io.cascade.gateway.tunnel;

import io.cascade.coding.crypto.Dialling;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagram length of the next handshake. The agreed length is dialled twice; after that every dial
 * uses the next shorter length, and after the shortest the longest again. So a gateway that is
 * absent for a while does not shorten a link permanently, and a path with a smaller MTU gets a
 * link.
 */
final class DatagramSizes {
  /**
   * Shorter lengths. With UDP and IPv4 headers: 1,400 bytes, which most tunnels carry, such as
   * WireGuard over IPv6 (1,420 with UDP and IPv6); what carries IPv6 packets of 1,280 bytes, the
   * least MTU of IPv6; and what every path is expected to carry.
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

  /** The length of the next dial. */
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

  /** How often all lengths were dialled in vain. */
  int rounds() {
    return failures / (sizes.size() + TRIES_OF_LAST - 1);
  }

  /** A length was agreed on: the next session begins with it. */
  void agreed(int size) {
    at = Math.max(0, sizes.indexOf(size));
    failures = 0;
    searches = 0;
  }

  /** Whether a longer length than the agreed one is wanted. */
  boolean mayGrow() {
    return at > 0;
  }

  /** A longer length than the agreed one to probe: all of them in turn, the longest first. */
  int longer() {
    return sizes.get(searches++ % at);
  }
}
