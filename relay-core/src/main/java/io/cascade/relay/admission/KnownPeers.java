package io.cascade.relay.admission;

import io.cascade.api.BoundedMap;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Addresses of relays that this one knows: those that the orchestrator has named, and those from
 * which somebody has proved a hop's key. What strangers may have of the hop port is bounded, so
 * that they cannot take it from relays that are known. Thread-safe.
 */
public final class KnownPeers {
  private static final int MOST_PROVED = 4_096;

  private final Map<InetAddress, Boolean> proved = BoundedMap.ofLatestUsed(MOST_PROVED);
  private volatile Set<InetAddress> named = Set.of();

  /** The orchestrator names relays at these addresses, and no others. */
  public void named(Collection<InetAddress> addresses) {
    named = Set.copyOf(addresses);
  }

  /** Somebody at this address has proved a hop's key. */
  public void proved(InetAddress address) {
    synchronized (proved) {
      proved.put(address, true);
    }
  }

  /** Whether a relay is at this address, as far as is known. */
  public boolean knows(InetAddress address) {
    if (named.contains(address)) {
      return true;
    }
    synchronized (proved) {
      return proved.containsKey(address);
    }
  }
}
