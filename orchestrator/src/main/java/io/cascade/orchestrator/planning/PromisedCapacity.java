package io.cascade.orchestrator.planning;

/** What chains that are open were predicted to take of relays and links, in bits per second. */
public interface PromisedCapacity {
  /** What all chains together were promised of a relay, bit/s. */
  double of(String relay);

  /** What all chains together were promised of the link between two relays, bit/s. */
  double of(String from, String to);
}
