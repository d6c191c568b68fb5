package io.cascade.client.measure;

import io.cascade.kernel.tcp.TcpInfoFields;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Kernel's counters of a connection ({@code struct tcp_info}, {@code linux/tcp.h}).
 *
 * @param rttMicros smoothed round-trip time
 * @param queuedRttMicros the same as far as a queue may cause it ({@link
 *     TcpInfoFields#queuedRttMicros})
 * @param minRttMicros the least round-trip time of some minutes; 0 before the first
 * @param sentSegments segments with data, retransmissions among them
 * @param retransmittedSegments since the connection began
 * @param arrivedBytes acknowledged, also selectively
 * @param busyMicros time with data sent and not acknowledged
 * @param receiverLimitedMicros part of that time limited by the peer's window
 * @param senderLimitedMicros part of that time limited by the own send buffer
 * @param applicationLimited whether the application had too little to send for the latest sample of
 *     the delivery rate
 */
public record TcpCounters(
    long rttMicros,
    long queuedRttMicros,
    long minRttMicros,
    long sentSegments,
    long retransmittedSegments,
    long arrivedBytes,
    long busyMicros,
    long receiverLimitedMicros,
    long senderLimitedMicros,
    boolean applicationLimited) {
  /** Bound of an answer: more than any kernel returns. */
  static final int MOST_BYTES = 512;

  /** Parses the structure; empty where the kernel is too old to count all of it. */
  static Optional<TcpCounters> of(byte[] raw) {
    if (raw.length < TcpInfoFields.LEAST_BYTES) {
      return Optional.empty();
    }
    TcpInfoFields info = new TcpInfoFields(ByteBuffer.wrap(raw));
    return Optional.of(
        new TcpCounters(
            info.rttMicros(),
            info.queuedRttMicros(),
            info.minRttMicros(),
            info.sentSegments(),
            info.retransmittedSegments(),
            info.ackedBytes() + info.sackedBytes(),
            info.busyMicros(),
            info.receiverLimitedMicros(),
            info.senderLimitedMicros(),
            info.isApplicationLimited()));
  }
}
