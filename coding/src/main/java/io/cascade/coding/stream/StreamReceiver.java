package io.cascade.coding.stream;

import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;

/** The incoming half of a stream: reassembly, credit, and the end or a reset after the bytes. */
final class StreamReceiver {
  /** Divisor of the free memory that bounds a stream's additional credit. */
  private static final int CREDIT_SHARE = 8;

  private static final long UNKNOWN = -1;
  private static final long MOST_OFFSET = 1L << 60;

  private final CodedStreamLimits limits;
  private final Reassembly bytes;
  private ReceivingState state = ReceivingState.RECEIVING;
  private long finalSize = UNKNOWN;
  private boolean resetArrived;
  private long toldCredit;
  private long window;
  private long grownNanos = Long.MIN_VALUE / 2;
  private boolean creditWaits;

  StreamReceiver(CodedStreamLimits limits) {
    this.limits = limits;
    this.bytes = new Reassembly(limits.memory());
    this.toldCredit = limits.firstCreditBytes();
    this.window = limits.firstCreditBytes();
  }

  ReceivingState state() {
    return state;
  }

  long missing() {
    return bytes.missing();
  }

  int ranges() {
    return bytes.ranges();
  }

  int memoryBytes() {
    return bytes.memoryBytes();
  }

  void arrived(StreamFrame.Data frame) throws Malformed {
    long end = frame.offset() + frame.data().remaining();
    boolean fits =
        end <= toldCredit
            && (finalSize == UNKNOWN || end <= finalSize)
            && (!frame.last() || (finalSize == UNKNOWN && end >= bytes.highest()));
    if (!fits) {
      throw new Malformed("bytes beyond a stream's credit or end", 0);
    }
    if (state != ReceivingState.RECEIVING) {
      if (state == ReceivingState.RESET) {
        return; // Bytes that were in flight when this end reset the stream.
      }
      throw new Malformed("bytes behind a stream's end", 0);
    }
    if (!bytes.put(frame.offset(), frame.data())) {
      throw new Malformed("a stream's bytes twice", 0);
    }
    if (frame.last()) {
      finalSize = end;
    }
    settle();
  }

  /** The peer has reset the stream: the bytes sent before may be read, and then there is no end. */
  void resetArrived(long size) throws Malformed {
    if (state == ReceivingState.RESET || resetArrived) {
      return;
    }
    if (size < bytes.highest()
        || size > MOST_OFFSET
        || (finalSize != UNKNOWN && size != finalSize)) {
      throw new Malformed("a stream's final size", 0);
    }
    if (state == ReceivingState.RECEIVING) {
      resetArrived = true;
      finalSize = size;
      settle();
    }
  }

  /** Ends it without an end: unread bytes are dropped. */
  void reset() {
    state = state.after(ReceivingState.Event.ABANDONED);
    bytes.clear();
    creditWaits = false;
  }

  private void settle() {
    boolean allRead = bytes.read() == finalSize;
    if (resetArrived) {
      if (allRead) {
        reset();
      }
      return;
    }
    if (bytes.inOrder() == finalSize) {
      state = state.after(ReceivingState.Event.END_ARRIVED);
      creditWaits = false;
    }
    if (allRead) {
      state = state.after(ReceivingState.Event.ALL_READ);
      bytes.clear();
    }
  }

  /** Number of bytes that may be read now. */
  long readable() {
    return bytes.inOrder() - bytes.read();
  }

  int read(ByteBuffer into, long nowNanos, long roundTripNanos) {
    int copied = bytes.read(into);
    if (copied > 0) {
      settle();
      raiseCredit(nowNanos, roundTripNanos);
    }
    return copied;
  }

  /**
   * Grants new credit once half of the last one is used. Doubles the window if that took less than
   * two round trips: then the application keeps up, and the window limits the rate.
   */
  private void raiseCredit(long nowNanos, long roundTripNanos) {
    if (state != ReceivingState.RECEIVING
        || resetArrived
        || toldCredit - bytes.read() > window / 2) {
      return;
    }
    boolean isQuick = nowNanos - grownNanos < 2 * roundTripNanos;
    grownNanos = nowNanos;
    if (isQuick
        && 2 * window <= limits.mostCreditBytes()
        && window <= limits.memory().freeBytes() / CREDIT_SHARE) {
      window *= 2;
    }
    creditWaits = true;
  }

  /** Whether there is credit to send. */
  boolean creditWaits() {
    return creditWaits;
  }

  /** Returns the credit to send, which then counts as sent. */
  long tellCredit() {
    creditWaits = false;
    toldCredit = Math.max(toldCredit, bytes.read() + window);
    return toldCredit;
  }
}
