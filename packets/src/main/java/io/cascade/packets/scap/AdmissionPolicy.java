package io.cascade.packets.scap;

import io.cascade.packets.connections.ConnectionId;
import io.cascade.packets.header.IpPrefix;
import java.util.List;
import java.util.Set;

/**
 * Choice of the connections that are split, and of the moment (the source's section 3.9: short
 * flows gain nothing).
 *
 * @param afterOctets of payload that go by one pipe first; 0 splits from the beginning
 * @param onePipePorts connections with one of these ports at either end are never split
 * @param prefixes connections with an end in one of these are split alone; all where there are none
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
