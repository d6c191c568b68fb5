package io.cascade.coding.datagram;

import io.cascade.coding.session.SymbolContents;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams as the contents of a session's symbols. A datagram is taken from its source when a
 * symbol may be sent, and passed on as soon as its symbol is known. Order is restored within a
 * flow's bucket, for at most {@value #HOLD_ROUND_TRIPS} round trips and 300 ms. Several small
 * datagrams share a symbol.
 *
 * <pre>
 * content   0x30 | { bucket u16 | number u16 | length u16 | bytes } …
 * number    of the datagram in its bucket, counted from 0
 * </pre>
 *
 * The owner tells the time before it passes datagrams to the session ({@link #receiving}) and
 * before it polls the session ({@link #onTime}). Used by the session's thread.
 */
public final class Datagrams implements SymbolContents {
  /** First byte of a content. */
  public static final int TYPE = 0x30;

  /** Number of buckets into which flows are hashed. */
  public static final int BUCKETS = 1_024;

  /** Result of {@link #nextNanos} while nothing is held. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int TYPE_BYTES = 1;
  private static final int HEADER_BYTES = 6;

  /**
   * TCP considers a packet lost after three later ones have overtaken it, and halves its rate. So
   * order matters more than delay: at a loss rate of a tenth, a repair that is lost itself arrives
   * after three round trips.
   */
  static final int HOLD_ROUND_TRIPS = 6;

  /** Less than TCP's time-out of 200 ms plus a round trip on most paths. */
  private static final long MOST_HOLD_NANOS = 300_000_000;

  private final DatagramSource source;
  private final FlowOrder order;
  private final int mostBytes;
  private final int[] numbers = new int[BUCKETS];
  private @Nullable Datagram next;
  private long holdNanos = MOST_HOLD_NANOS;
  private long nowNanos;
  private long sent;
  private long received;
  private long tooLong;

  /**
   * @param contentBytes of the session
   */
  public Datagrams(int contentBytes, DatagramSource source, DatagramSink sink) {
    this.source = source;
    this.mostBytes = mostBytes(contentBytes);
    this.order = new FlowOrder(sink);
  }

  /** Length of the longest datagram that fits into a content. */
  public static int mostBytes(int contentBytes) {
    return contentBytes - TYPE_BYTES - HEADER_BYTES;
  }

  /** Content length that fits a datagram. */
  public static int contentBytes(int datagramBytes) {
    return datagramBytes + TYPE_BYTES + HEADER_BYTES;
  }

  /**
   * Tells the time at which datagrams are read. Passes nothing on, since a missing datagram may be
   * among them.
   */
  public void receiving(long now) {
    nowNanos = now;
  }

  /** Tells the time, and passes on datagrams that have waited for order long enough. */
  public void onTime(long now) {
    nowNanos = now;
    order.releaseOlderThan(now - holdNanos);
  }

  /** Passes on all datagrams that wait for order, since the missing ones will not arrive. */
  public void release() {
    order.releaseOlderThan(Long.MAX_VALUE);
  }

  /** Returns when a datagram will have waited for order long enough, or {@link #NEVER}. */
  public long nextNanos() {
    long oldest = order.oldestNanos();
    return oldest == FlowOrder.NEVER ? NEVER : oldest + holdNanos;
  }

  @Override
  public boolean waits() {
    while (next == null && source.waits()) {
      Datagram taken = source.next(nowNanos);
      if (taken.bytes().length <= mostBytes && taken.bytes().length > 0) {
        next = taken;
      } else {
        tooLong++;
      }
    }
    return next != null;
  }

  @Override
  public void fill(long symbol, ByteBuffer into) {
    into.put((byte) TYPE);
    while (waits()) {
      Datagram datagram = next;
      if (datagram == null || HEADER_BYTES + datagram.bytes().length > into.remaining()) {
        return;
      }
      next = null;
      into.putShort((short) datagram.bucket());
      into.putShort((short) numbers[datagram.bucket()]++);
      into.putShort((short) datagram.bytes().length);
      into.put(datagram.bytes());
      sent++;
    }
  }

  @Override
  public void arrived(ByteBuffer content) throws Malformed {
    int type = content.get() & 0xff;
    if (type != TYPE) {
      throw new Malformed("content type " + type, 0);
    }
    while (content.hasRemaining()) {
      if (content.remaining() < HEADER_BYTES) {
        throw new Malformed("datagram header", content.position());
      }
      int bucket = content.getShort() & 0xffff;
      int number = content.getShort() & 0xffff;
      int length = content.getShort() & 0xffff;
      if (bucket >= BUCKETS || length > content.remaining()) {
        throw new Malformed("datagram of bucket %d".formatted(bucket), content.position());
      }
      byte[] bytes = new byte[length];
      content.get(bytes);
      received++;
      order.arrived(bucket, number, bytes, nowNanos);
    }
  }

  @Override
  public void delivered(long below, long roundTripNanos) {
    holdNanos = Math.min(MOST_HOLD_NANOS, HOLD_ROUND_TRIPS * roundTripNanos);
  }

  /** Number of datagrams that were sent in a symbol, each counted once. */
  public long sent() {
    return sent;
  }

  /** Number of datagrams that arrived. */
  public long received() {
    return received;
  }

  /** Number of datagrams dropped because they are longer than a content. */
  public long tooLong() {
    return tooLong;
  }

  /** Number of datagrams that arrived too late to be ordered. */
  public long late() {
    return order.late();
  }

  /** Number of datagrams that wait for others. */
  public int held() {
    return order.held();
  }
}
