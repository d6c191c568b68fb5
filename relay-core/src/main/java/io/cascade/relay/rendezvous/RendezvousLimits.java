package io.cascade.relay.rendezvous;

import java.time.Duration;

/**
 * Bounds of a relay's rendezvous port. A source is an IPv4 address or an IPv6 network of 64 bits.
 *
 * @param mostPending connections whose request has not been read
 * @param mostPendingOfSource the same of one source
 * @param mostWaiting connections that wait
 * @param mostWaitingOfSource the same of one source
 * @param mostJoined concurrent streams
 * @param mostJoinedOfSource the same of the joining end's source
 * @param requestsAMinute of one source, to wait or to join
 * @param patience time for a request to arrive
 * @param longestWait longest time for which a connection may wait
 * @param idle longest time in which no byte of a stream moves
 * @param bytesADay most bytes that all streams together may move in a day, both directions together
 */
public record RendezvousLimits(
    int mostPending,
    int mostPendingOfSource,
    int mostWaiting,
    int mostWaitingOfSource,
    int mostJoined,
    int mostJoinedOfSource,
    int requestsAMinute,
    Duration patience,
    Duration longestWait,
    Duration idle,
    long bytesADay) {
  public RendezvousLimits {
    if (bytesADay < 1) {
      throw new IllegalArgumentException(
          "rendezvous bytes a day: " + bytesADay + " (expected: at least 1)");
    }
  }

  /** Returns the default bounds with the given number of bytes a day. */
  public static RendezvousLimits usual(long bytesADay) {
    return new RendezvousLimits(
        1_024,
        128,
        2_048,
        256,
        2_048,
        512,
        600,
        Duration.ofSeconds(5),
        Duration.ofHours(24),
        Duration.ofMinutes(15),
        bytesADay);
  }
}
