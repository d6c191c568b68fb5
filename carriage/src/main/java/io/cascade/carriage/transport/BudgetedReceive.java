package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Sizes receive buffers: as large as recent reads needed, never larger than what the reader may
 * still hold. One read per round, written before the next: a large one costs less than several
 * small ones.
 *
 * <p>A channel starts with small buffers, for headers, until a direction of a stream becomes its
 * {@link Reader}.
 */
public final class BudgetedReceive
    implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {
  private static final int SMALLEST = 2_048;
  private static final int LARGEST = 1 << 20; // see docs/how/data-plane.md
  private static final int GRACE_READ = 1_024;

  private Reader reader = () -> SMALLEST;
  private boolean readTheEnd;
  private int carried;
  private int next = SMALLEST * 4;
  private int attempted;
  private int last;
  private boolean small;

  /** Decides how much may be read. */
  @FunctionalInterface
  public interface Reader {
    /** Bytes that may be held beyond those held at present; zero or less if there is no room. */
    long allowance();

    /** A read of so many bytes is in progress; zero when it is over. */
    default void reads(int bytes) {}
  }

  /** Sets the reader. Called on the event loop. */
  public void readFor(Reader newReader) {
    this.reader = newReader;
  }

  /** Bytes of the next read if there is room: as many as recent reads have brought. */
  public int nextBytes() {
    return next;
  }

  /** Whether the last read found all that was available. */
  boolean hasCaughtUp() {
    return last < attempted;
  }

  /** Whether a read found the peer's end. */
  public boolean hasReadTheEnd() {
    return readTheEnd;
  }

  /**
   * Sets how many bytes a handler before the reader has read and still holds. Called on the event
   * loop, before the handler passes bytes on.
   */
  public void carry(int bytes) {
    this.carried = bytes;
  }

  /** The last value given to {@link #carry}; the reader counts it. */
  public int carried() {
    return carried;
  }

  /** Returns itself: one object per connection is enough, since many are idle. */
  @Override
  @SuppressWarnings("deprecation") // the interface's own return type
  public Handle newHandle() {
    return this;
  }

  @Override
  public ByteBuf allocate(ByteBufAllocator allocator) {
    return allocator.ioBuffer(guess());
  }

  /**
   * Size of the next read: as much as may be held. A read that was requested while there was room
   * still gets a small buffer if other directions have used that room meanwhile.
   */
  @Override
  public int guess() {
    long allowance = reader.allowance();
    if (allowance >= SMALLEST) {
      int room = (int) Math.min(allowance, next);
      reader.reads(room);
      return room;
    }
    return GRACE_READ;
  }

  @Override
  public void reset(ChannelConfig config) {}

  @Override
  public void incMessagesRead(int messages) {}

  @Override
  public void lastBytesRead(int bytes) {
    last = bytes;
    reader.reads(0);
    if (bytes <= 0) {
      readTheEnd |= bytes < 0;
      return;
    }
    if (bytes == attempted) {
      next = Math.min(LARGEST, next * 2);
      small = false;
    } else if (bytes < next / 4) {
      // Twice in a row, as in Netty's own adaptive sizing: one short read proves little.
      if (small) {
        next = Math.max(SMALLEST, next / 2);
      }
      small = !small;
    } else {
      small = false;
    }
  }

  @Override
  public int lastBytesRead() {
    return last;
  }

  @Override
  public void attemptedBytesRead(int bytes) {
    attempted = bytes;
  }

  @Override
  public int attemptedBytesRead() {
    return attempted;
  }

  @Override
  public boolean continueReading() {
    return false;
  }

  @Override
  public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
    return false;
  }

  @Override
  public void readComplete() {
    reader.reads(0); // needed after a read that failed
  }
}
