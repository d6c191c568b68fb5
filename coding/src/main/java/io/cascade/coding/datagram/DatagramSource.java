package io.cascade.coding.datagram;

/** A queue from which a session takes datagrams when it may send them. */
public interface DatagramSource {
  /** Whether a datagram waits. */
  boolean waits();

  /**
   * Removes and returns the next datagram. Called only if one waits.
   *
   * @param nowNanos for queues that drop datagrams by age
   */
  Datagram next(long nowNanos);
}
