package io.cascade.relay.admission;

import io.cascade.api.BoundedMap;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Addresses of known relays: those that the orchestrator has named, and those from which a peer has
 * proved that it holds a hop's key. Unknown senders get a bounded part of the hop port's capacity,
 * so that they cannot use up that of known relays. Thread-safe.
 */
public final class KnownPeers {
  private static final int MOST_PROVED = 4_096;

  private final Map<InetAddress, Boolean> proved = BoundedMap.ofLatestUsed(MOST_PROVED);
  private volatile Set<InetAddress> named = Set.of();

  /** Replaces the addresses that the orchestrator has named. */
  public void named(Collection<InetAddress> addresses) {
    named = Set.copyOf(addresses);
  }

  /** Adds an address from which a peer has proved that it holds a hop's key. */
  public void proved(InetAddress address) {
    synchronized (proved) {
      proved.put(address, true);
    }
  }

  /** Whether an address is known to be a relay's. */
  public boolean knows(InetAddress address) {
    if (named.contains(address)) {
      return true;
    }
    synchronized (proved) {
      return proved.containsKey(address);
    }
  }
}
