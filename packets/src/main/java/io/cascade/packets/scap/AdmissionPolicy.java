package io.cascade.packets.scap;

import io.cascade.packets.connections.ConnectionId;
import java.util.Set;

/**
 * Which connections are split, and from when on (the source's section 3.9: short flows gain
 * nothing).
 *
 * @param afterOctets of payload that go by one pipe first; 0 splits from the beginning
 * @param onePipePorts connections with one of these ports at either end are never split
 */
public record AdmissionPolicy(long afterOctets, Set<Integer> onePipePorts) {
  public AdmissionPolicy {
    if (afterOctets < 0) {
      throw new IllegalArgumentException(
          "octets before splitting: " + afterOctets + " (expected: >= 0)");
    }
    onePipePorts = Set.copyOf(onePipePorts);
  }

  boolean admits(ConnectionId id) {
    return !onePipePorts.contains(id.nearPort()) && !onePipePorts.contains(id.farPort());
  }
}
