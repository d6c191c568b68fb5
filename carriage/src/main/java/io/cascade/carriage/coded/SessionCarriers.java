package io.cascade.carriage.coded;

import io.cascade.carriage.transport.DatagramCarrier;
import org.jspecify.annotations.Nullable;

/** Chooses the carrier of a session's datagrams. Called on the session's event loop. */
sealed interface SessionCarriers permits DiallersCarriers, AcceptorsCarriers {
  /** Periodic check. */
  void look(long nowNanos);

  /** A connection accepts bytes again. */
  void ready();

  /** The peer has answered a challenge; the answer arrived over {@code by}. */
  void answered(DatagramCarrier by, long data);

  /** The peer uses {@code by} as its carrier. */
  void advanced(DatagramCarrier by);

  /**
   * The peer's data does not arrive over UDP as it should.
   *
   * @param instead whether the peer wants TCP to carry the session; otherwise it wants a comparison
   */
  void tcpWanted(boolean instead);

  /**
   * The peer's system reports that the UDP port is closed, and the peer does not answer.
   *
   * @return whether another carrier may reach it
   */
  boolean hasOtherWay();

  /** Reason for which TCP carries the session; null if UDP does. */
  @Nullable String why();

  /** The session has ended. */
  void close();
}
