package io.cascade.orchestrator.planning;

/** Capacity of relays and links that open chains were predicted to take, in bits per second. */
public interface PromisedCapacity {
  /** Capacity of a relay that all chains together were promised, bit/s. */
  double of(String relay);

  /** Capacity of the link between two relays that all chains together were promised, bit/s. */
  double of(String from, String to);
}
