package io.cascade.carriage.coded;

import io.cascade.carriage.transport.DatagramCarrier;
import org.jspecify.annotations.Nullable;

/** Decides what carries a session's datagrams. On the session's event loop. */
sealed interface SessionCarriers permits DiallersCarriers, AcceptorsCarriers {
  /** Some time has passed. */
  void look(long nowNanos);

  /** A connection has room again. */
  void ready();

  /** The peer has answered a challenge that came by {@code by}. */
  void answered(DatagramCarrier by, long data);

  /** The peer uses {@code by}. */
  void advanced(DatagramCarrier by);

  /**
   * The peer's data does not get through over UDP as it should.
   *
   * @param instead whether it wants TCP to carry the session; else to compare the two
   */
  void tcpWanted(boolean instead);

  /**
   * The peer's system says that nobody has the UDP port, and the peer does not answer.
   *
   * @return whether there may be another way to it
   */
  boolean hasOtherWay();

  /** Why TCP carries the session; null where UDP does. */
  @Nullable String why();

  /** The session is over. */
  void close();
}
