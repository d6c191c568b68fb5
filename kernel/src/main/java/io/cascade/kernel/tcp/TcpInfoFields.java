package io.cascade.kernel.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Fields of {@code struct tcp_info} ({@code linux/tcp.h}), which the kernel fills in for a socket.
 * All counters are since the connection began.
 */
public final class TcpInfoFields {
  /** Length up to and with the time that the send buffer limited (Linux 4.10). */
  public static final int LEAST_BYTES = 192;

  private static final int OUT_OF_ORDER_AT = 224;

  /** A connection's first window (RFC 6928). */
  private static final int FEW_SEGMENTS = 10;

  /** The kernel's value before a round trip was measured. */
  private static final long NO_MIN_RTT = 0xffff_ffffL;

  private final ByteBuffer info;

  /**
   * @param raw the structure from index 0 on, at least {@link #LEAST_BYTES} long
   */
  public TcpInfoFields(ByteBuffer raw) {
    this.info = raw.duplicate().order(ByteOrder.nativeOrder());
  }

  /** The kernel's number for the TCP state. */
  public int state() {
    return info.get(0) & 0xff;
  }

  /** Probes of a zero window or of an idle connection since the peer last acknowledged anything. */
  public int unansweredProbes() {
    return info.get(3) & 0xff;
  }

  /** Whether the application had too little to send for the latest sample of the delivery rate. */
  public boolean isApplicationLimited() {
    return (info.get(7) & 1) != 0;
  }

  /** Segments sent and not acknowledged. */
  public long unackedSegments() {
    return number(24);
  }

  /** Bytes acknowledged selectively, as that many segments of the greatest size. */
  public long sackedBytes() {
    return number(28) * number(16);
  }

  /** Time since the peer last acknowledged anything, in ms. */
  public long sinceLastAckMillis() {
    return number(56);
  }

  /** Smoothed round-trip time, in µs. */
  public long rttMicros() {
    return number(68);
  }

  /**
   * The part of the smoothed round-trip time that a queue may cause, in µs. With few segments in
   * flight, one often waits alone for its acknowledgment, which hosts then delay by 40 ms and more
   * (RFC 1122, section 4.2.3.2). A queue lengthens all round trips, such a delay only some; so the
   * mean deviation is subtracted there. Before the second sample that is half of the round trip.
   */
  public long queuedRttMicros() {
    boolean fewSegments = congestionWindowSegments() <= FEW_SEGMENTS;
    return Math.max(0, rttMicros() - (fewSegments ? number(72) : 0));
  }

  public long congestionWindowSegments() {
    return number(80);
  }

  public long retransmittedSegments() {
    return number(100);
  }

  /** Bytes acknowledged; the SYN and the FIN may count as one each. */
  public long ackedBytes() {
    return info.getLong(120);
  }

  /** Bytes accepted from the application and not sent. */
  public long notSentBytes() {
    return number(144);
  }

  /** The least round-trip time of some minutes, in µs; 0 before the first. */
  public long minRttMicros() {
    long least = number(148);
    return least == NO_MIN_RTT ? 0 : least;
  }

  /** Segments that were sent with data, retransmissions included. */
  public long sentSegments() {
    return number(156);
  }

  /** Time with data sent and not acknowledged, in µs. */
  public long busyMicros() {
    return info.getLong(168);
  }

  /** Part of the busy time in which the peer's window was the limit, in µs. */
  public long receiverLimitedMicros() {
    return info.getLong(176);
  }

  /** Part of the busy time in which the send buffer was the limit, in µs. */
  public long senderLimitedMicros() {
    return info.getLong(184);
  }

  /** Segments that arrived after a gap; 0 before Linux 5.4. */
  public long outOfOrderSegments() {
    return info.limit() < OUT_OF_ORDER_AT + Integer.BYTES ? 0 : number(OUT_OF_ORDER_AT);
  }

  private long number(int offset) {
    return info.getInt(offset) & 0xffff_ffffL;
  }
}
