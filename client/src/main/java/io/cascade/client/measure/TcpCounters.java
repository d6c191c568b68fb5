package io.cascade.client.measure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Kernel's counters of a connection ({@code struct tcp_info}, {@code linux/tcp.h}).
 *
 * @param rttMicros smoothed round-trip time
 * @param minRttMicros the least round-trip time of some minutes; 0 before the first
 * @param sentSegments with data, retransmissions among them
 * @param retransmittedSegments since the connection began
 * @param arrivedBytes acknowledged, also selectively
 * @param busyMicros time with data sent and not acknowledged
 * @param receiverLimitedMicros of that, limited by the peer's window
 * @param senderLimitedMicros of that, limited by the own send buffer
 * @param outOfOrderSegments that have arrived behind a gap; 0 before Linux 5.4
 * @param applicationLimited whether the application had too little to send for the latest sample of
 *     the delivery rate
 */
public record TcpCounters(
    long rttMicros,
    long minRttMicros,
    long sentSegments,
    long retransmittedSegments,
    long arrivedBytes,
    long busyMicros,
    long receiverLimitedMicros,
    long senderLimitedMicros,
    long outOfOrderSegments,
    boolean applicationLimited) {
  /** Bound of an answer: more than any kernel has to say. */
  static final int MOST_BYTES = 512;

  /** Length up to and with the time that the send buffer limited (Linux 4.10). */
  private static final int LEAST_BYTES = 192;

  private static final int OUT_OF_ORDER_AT = 224;

  /** The lowest bit there is {@code tcpi_delivery_rate_app_limited}. */
  private static final int APPLICATION_LIMITED_AT = 7;

  /** Kernel's value where no round trip was measured yet. */
  private static final long NO_MIN_RTT = 0xffff_ffffL;

  /** Reads the structure; empty where the kernel is too old to count all of it. */
  static Optional<TcpCounters> of(byte[] raw) {
    if (raw.length < LEAST_BYTES) {
      return Optional.empty();
    }
    ByteBuffer info = ByteBuffer.wrap(raw).order(ByteOrder.nativeOrder());
    long minRtt = number(info, 148);
    return Optional.of(
        new TcpCounters(
            number(info, 68),
            minRtt == NO_MIN_RTT ? 0 : minRtt,
            number(info, 156),
            number(info, 100),
            info.getLong(120) + number(info, 28) * number(info, 16),
            info.getLong(168),
            info.getLong(176),
            info.getLong(184),
            raw.length < OUT_OF_ORDER_AT + Integer.BYTES ? 0 : number(info, OUT_OF_ORDER_AT),
            (info.get(APPLICATION_LIMITED_AT) & 1) != 0));
  }

  private static long number(ByteBuffer info, int offset) {
    return info.getInt(offset) & 0xffff_ffffL;
  }
}
