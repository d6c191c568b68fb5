package io.cascade.coding.datagram;

import io.cascade.coding.session.SymbolContents;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams as the contents of a session's symbols. One is taken from its source when a symbol may
 * leave, and passed on as soon as its symbol is known; order is restored within a flow's bucket,
 * for {@value #HOLD_ROUND_TRIPS} round trips and 300 ms at most. Several small ones share a symbol.
 *
 * <pre>
 * content   0x30 | { bucket u16 | number u16 | length u16 | bytes } …
 * number    of the datagram in its bucket, counted from 0
 * </pre>
 *
 * The owner says what time it is before it gives the session datagrams ({@link #receiving}) and
 * before it asks it for some ({@link #onTime}). Used by the session's thread.
 */
public final class Datagrams implements SymbolContents {
  /** First byte of a content. */
  public static final int TYPE = 0x30;

  /** Flows are hashed into as many. */
  public static final int BUCKETS = 1_024;

  /** Answer of {@link #nextNanos}: nothing is held. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int TYPE_BYTES = 1;
  private static final int HEADER_BYTES = 6;

  /**
   * TCP takes a packet that three later ones overtake for lost and halves its rate, so that order
   * is worth more than delay: at a loss of a tenth a repair that is lost itself comes after three
   * round trips.
   */
  static final int HOLD_ROUND_TRIPS = 6;

  /** Less than it takes TCP's time-out of 200 ms and a round trip to fire on most paths. */
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

  /** The longest datagram that a content has room for. */
  public static int mostBytes(int contentBytes) {
    return contentBytes - TYPE_BYTES - HEADER_BYTES;
  }

  /** The content that has room for a datagram. */
  public static int contentBytes(int datagramBytes) {
    return datagramBytes + TYPE_BYTES + HEADER_BYTES;
  }

  /**
   * Says the time at which datagrams are read. Passes nothing on: what is waited for may be among
   * them.
   */
  public void receiving(long now) {
    nowNanos = now;
  }

  /** Says the time, and passes on what has waited for order for long enough. */
  public void onTime(long now) {
    nowNanos = now;
    order.releaseOlderThan(now - holdNanos);
  }

  /** Passes on all that waits for order: what it waits for will not come. */
  public void release() {
    order.releaseOlderThan(Long.MAX_VALUE);
  }

  /** Returns when something has waited for order for long enough, or {@link #NEVER}. */
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

  /** Datagrams that left in a symbol, each once. */
  public long sent() {
    return sent;
  }

  /** Datagrams that arrived. */
  public long received() {
    return received;
  }

  /** Datagrams dropped, because they are longer than a content. */
  public long tooLong() {
    return tooLong;
  }

  /** Datagrams that arrived when they were no longer waited for. */
  public long late() {
    return order.late();
  }

  /** Datagrams that wait for others now. */
  public int held() {
    return order.held();
  }
}
