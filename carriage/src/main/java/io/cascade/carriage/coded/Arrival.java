package io.cascade.carriage.coded;

/** Result of checking a datagram. */
enum Arrival {
  /** Authentic, and the first with its number, so it is no replay. */
  NEW,
  /** Authentic, but a repetition, or of no use. */
  KNOWN,
  /** Half of a datagram, which cannot be authenticated alone. */
  HALF,
  REFUSED
}
