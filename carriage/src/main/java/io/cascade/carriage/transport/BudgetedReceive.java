package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Sizes receive buffers: as large as reads have proved to be, never larger than what the reader may
 * still hold. One read a round, written before the next: a large one costs less than several small.
 *
 * <p>A channel starts with small buffers, for headers, until a direction of a stream takes over as
 * its {@link Reader}.
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

  /** Reader that says how much may be read. */
  @FunctionalInterface
  public interface Reader {
    /** Bytes that may be held beyond those held now; zero or less when there is no room. */
    long allowance();

    /** A read of so many bytes is under way; zero when it is over. */
    default void reads(int bytes) {}
  }

  /** Lets {@code newReader} decide from now on. Called on the event loop. */
  public void readFor(Reader newReader) {
    this.reader = newReader;
  }

  /** Bytes of the next read with room enough: as many as reads have brought of late. */
  public int nextBytes() {
    return next;
  }

  /** Whether the last read found all that there was. */
  boolean hasCaughtUp() {
    return last < attempted;
  }

  /** Whether a read found the peer's end. */
  public boolean hasReadTheEnd() {
    return readTheEnd;
  }

  /**
   * A handler before the reader holds so many bytes of what was read, which the reader has not
   * seen. On the event loop, before what it passes on.
   */
  public void carry(int bytes) {
    this.carried = bytes;
  }

  /** Value last given to {@link #carry}; whoever decides on reads counts it. */
  public int carried() {
    return carried;
  }

  /** Returns itself: one object for each connection is enough, of which many are idle. */
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
   * Size of the next read: as much as may be held. A read that was asked for when there was room,
   * which others have taken meanwhile, gets a small buffer all the same.
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
      // Twice in a row, as in Netty's own adaptive sizing: one short read says little.
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
    reader.reads(0); // which a read that fails does not say otherwise
  }
}
