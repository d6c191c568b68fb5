package io.cascade.kernel.tcp;

/**
 * Counters of a connection at one moment ({@code struct tcp_info}, {@code linux/tcp.h}); all except
 * the first two count since it began.
 *
 * @param nanos moment, by {@link System#nanoTime}
 * @param rttNanos smoothed round-trip time
 * @param sentSegments with data, including retransmissions
 * @param arrivedBytes acknowledged, also selectively
 * @param busyNanos with data sent and not acknowledged
 * @param receiverLimitedNanos of that, limited by the peer's window
 * @param senderLimitedNanos of that, limited by the send buffer
 */
public record SendingSample(
    long nanos,
    long rttNanos,
    long sentSegments,
    long retransmittedSegments,
    long arrivedBytes,
    long busyNanos,
    long receiverLimitedNanos,
    long senderLimitedNanos) {

  /** Share of the time above which something other than the network limits a connection. */
  public static final double LIMITED_SHARE = 0.1;

  /** Returns the sample of a connection that has sent nothing yet. */
  public static SendingSample beginning(long nanos) {
    return new SendingSample(nanos, 0, 0, 0, 0, 0, 0, 0);
  }

  /**
   * Returns what limited the connection from an earlier sample to this one. The times exclude each
   * other, except that the busy time includes the others.
   */
  public SendingLimit limitSince(SendingSample earlier) {
    long elapsed = nanos - earlier.nanos;
    if (receiverLimitedNanos - earlier.receiverLimitedNanos > LIMITED_SHARE * elapsed) {
      return SendingLimit.RECEIVER;
    }
    if (senderLimitedNanos - earlier.senderLimitedNanos > LIMITED_SHARE * elapsed) {
      return SendingLimit.SENDER_BUFFER;
    }
    return busyNanos - earlier.busyNanos < (1 - LIMITED_SHARE) * elapsed
        ? SendingLimit.APPLICATION
        : SendingLimit.NETWORK;
  }
}
