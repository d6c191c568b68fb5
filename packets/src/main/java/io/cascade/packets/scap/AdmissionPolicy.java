package io.cascade.packets.scap;

import io.cascade.packets.connections.ConnectionId;
import io.cascade.packets.header.IpPrefix;
import java.util.List;
import java.util.Set;

/**
 * Decides which connections are split, and when (the source's section 3.9: short flows gain
 * nothing).
 *
 * @param afterOctets of payload that are sent over one pipe first; 0 splits from the beginning
 * @param onePipePorts connections with one of these ports at either end are never split
 * @param prefixes only connections with an end in one of these are split; all if there are none
 */
public record AdmissionPolicy(
    long afterOctets, Set<Integer> onePipePorts, List<IpPrefix> prefixes) {
  public AdmissionPolicy {
    if (afterOctets < 0) {
      throw new IllegalArgumentException(
          "octets before splitting: " + afterOctets + " (expected: >= 0)");
    }
    onePipePorts = Set.copyOf(onePipePorts);
    prefixes = List.copyOf(prefixes);
  }

  boolean admits(ConnectionId id) {
    return !onePipePorts.contains(id.nearPort())
        && !onePipePorts.contains(id.farPort())
        && (prefixes.isEmpty() || prefixes.stream().anyMatch(prefix -> hasEndIn(prefix, id)));
  }

  private static boolean hasEndIn(IpPrefix prefix, ConnectionId id) {
    return prefix.contains(id.near()) || prefix.contains(id.far());
  }
}
