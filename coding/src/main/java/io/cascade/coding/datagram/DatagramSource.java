package io.cascade.coding.datagram;

/** A queue from which a session takes datagrams when it may send them. */
public interface DatagramSource {
  /** Whether there is a datagram. */
  boolean waits();

  /**
   * Takes the next datagram out. Called only where one waits.
   *
   * @param nowNanos for what the queue drops by age
   */
  Datagram next(long nowNanos);
}
