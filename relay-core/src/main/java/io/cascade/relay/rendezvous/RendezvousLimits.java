package io.cascade.relay.rendezvous;

import java.time.Duration;

/**
 * Bounds of a relay's rendezvous port. A source is an IPv4 address or an IPv6 network of 64 bits.
 *
 * @param mostPending connections whose request is not read yet
 * @param mostPendingOfSource the same of one source
 * @param mostWaiting connections that wait
 * @param mostWaitingOfSource the same of one source
 * @param mostJoined streams at a time
 * @param mostJoinedOfSource the same of the joining end's source
 * @param requestsAMinute of one source, to wait or to join
 * @param patience for a request
 * @param longestWait of a connection
 * @param idle how long no byte of a stream may move
 * @param bytesADay that all streams together may move in a day, both directions together
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

  /** The bounds of a relay whose operator says nothing but how many bytes a day. */
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
