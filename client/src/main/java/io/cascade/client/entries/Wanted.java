package io.cascade.client.entries;

import java.util.BitSet;

/**
 * Which entries of a manifest the receiver does not have.
 *
 * @param number of the manifest
 * @param entries a bit for each of its entries, in their order
 */
public record Wanted(long number, BitSet entries) {
  /** A copy, which does not change. */
  public Wanted {
    entries = (BitSet) entries.clone();
  }

  @Override
  public BitSet entries() {
    return (BitSet) entries.clone();
  }
}
