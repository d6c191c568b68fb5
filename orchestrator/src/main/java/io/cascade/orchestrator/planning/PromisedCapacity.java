package io.cascade.orchestrator.planning;

/** What chains that are open were predicted to take of relays and links, in bits per second. */
public interface PromisedCapacity {
  /** Of a relay, by all chains together. */
  double of(String relay);

  /** Of the link between two relays, by all chains together. */
  double of(String from, String to);
}
