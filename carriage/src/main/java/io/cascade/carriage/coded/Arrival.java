package io.cascade.carriage.coded;

/** What a datagram is. */
enum Arrival {
  /** Authentic, and the first with its number: nobody has recorded and repeated it. */
  NEW,
  /** Authentic, but it came before, or is of no use. */
  KNOWN,
  /** Half of one, of which nothing is known. */
  HALF,
  REFUSED
}
