package io.cascade.client.transfer;

import io.cascade.client.entries.EntrySource;
import io.cascade.client.transfer.TransferConnection.Piece;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.schedule.BlockLedger.Range;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.StandingReply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Produces the messages that connections write: blocks in order, repeated blocks, the trailer.
 *
 * <p>{@link #read} is called by one thread at a time, and holds the lock of this object. Its
 * callbacks may take the transfer's lock; a thread that holds the transfer's lock must not call
 * {@link #read}.
 */
final class BlockReader implements AutoCloseable {
  /** Interval between checks of the file for changes while it is read. */
  private static final long LOOK_NANOS = 200_000_000;

  /** Bound of memory, 32 MiB: extents of some 4 TiB. */
  private static final int MOST_EXTENTS = 1 << 20;

  private final long size;
  private final Content content;
  private final long holeBytes;
  private final Original original;
  private final DigestLane lane = new DigestLane(Block.PREFIX_BYTES + Block.MAX_BYTES);
  private final @Nullable KeptBlocks kept;
  private final BusyTime reading = new BusyTime();
  private final BusyTime preparing = new BusyTime();
  private volatile long holesAhead;
  private volatile @Nullable Sha256 sha256;
  private volatile long lookedNanos = System.nanoTime();

  /** What the receiver holds and need not be read; null if it began with nothing. */
  private volatile @Nullable ByteRanges held;

  /** Guards the following fields. A thread that holds it takes no other lock. */
  private final Object checkLock = new Object();

  private final List<Extent> heldExtents = new ArrayList<>();
  private volatile @Nullable SourceCheck check;

  private BlockReader(
      TransferHeader header, ReadableByteChannel channel, Original original, boolean keeps)
      throws IOException {
    this.size = header.size();
    this.original = original;
    this.content = new Content(header, channel, original);
    this.holeBytes = content.holeBytes();
    this.holesAhead = holeBytes;
    this.kept =
        keeps && !content.canBeReadAgain()
            ? header.entries() ? KeptBlocks.ofEntries() : KeptBlocks.ofStream()
            : null;
  }

  /**
   * @param keeps whether blocks that cannot be read again are kept until they have arrived
   * @throws TransferFailed where the content cannot be read
   */
  static BlockReader of(
      TransferHeader header, ReadableByteChannel content, Original original, boolean keeps)
      throws TransferFailed {
    try {
      return new BlockReader(header, content, original, keeps);
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + header.name() + ": " + e.getMessage(), e);
    }
  }

  /** Whether blocks that were read and have not arrived can be read again. */
  boolean canBeReadAgain() {
    return kept != null || content.canBeReadAgain();
  }

  /**
   * Whether another block may be read: blocks kept until their arrival are bounded, and entries may
   * wait for the receiver.
   */
  boolean hasRoom(int bytes) {
    KeptBlocks window = kept;
    return !isWaiting() && (window == null || window.hasRoom(bytes));
  }

  /** Whether the receiver has to answer before more can be read. */
  boolean isWaiting() {
    EntrySource entries = content.entries();
    return entries != null && entries.isWaiting();
  }

  /** Passes on what the receiver has of entries. */
  void answered(StandingReply reply) {
    EntrySource entries = content.entries();
    if (entries != null) {
      entries.answered(reply.first(), reply.standing());
    }
  }

  /** A connection failed, and answers that the receiver wrote to it may be lost. */
  void answersLost() {
    EntrySource entries = content.entries();
    if (entries != null) {
      entries.answersLost();
    }
  }

  /** A block has arrived, and is not read again. */
  void arrived(Range block) {
    KeptBlocks window = kept;
    if (window != null) {
      window.arrived(block);
    }
  }

  /** Whether blocks are kept until they have arrived. */
  boolean keeps() {
    return kept != null;
  }

  /** Bytes of holes still to come, including those that the receiver holds. */
  long holesAhead() {
    return holesAhead;
  }

  /** Time in which at least one thread read blocks. */
  long readingNanos(long nowNanos) {
    return reading.nanos(nowNanos);
  }

  /** Time in which at least one thread read blocks or waited for the digest. */
  long preparingNanos(long nowNanos) {
    return preparing.nanos(nowNanos);
  }

  /** Position up to which the file was read. */
  long position() {
    return content.position();
  }

  /** The digest of the whole content; null before the first trailer. */
  @Nullable Sha256 sha256() {
    return sha256;
  }

  /**
   * Reads the next block.
   *
   * @param most bytes, asked when it is this caller's turn
   * @param taken told of the block before another thread reads on
   * @return null at the end
   */
  synchronized @Nullable Piece read(IntSupplier most, Consumer<Range> taken)
      throws TransferFailed, InterruptedException {
    ByteRanges there = held;
    if (there != null) {
      return readMissing(there, most, taken);
    }
    long from = content.position();
    int hole = content.hole(from, size - from);
    if (hole > 0) {
      DigestLane.Slot zeros = DigestLane.Slot.hole(hole);
      lane.digest(zeros, zeros.buffer);
      return takeHole(from, hole, taken);
    }
    preparing.begins();
    DigestLane.Slot slot;
    ByteBuffer buffer;
    long offset = content.position();
    int length;
    try {
      slot = lane.take();
      buffer = slot.buffer.position(Block.PREFIX_BYTES);
      length = readInto(slot, buffer, most);
    } finally {
      preparing.ends();
    }
    if (length <= 0) {
      lane.release(slot);
      return length < 0 ? null : alive();
    }
    buffer.flip();
    lane.digest(slot, buffer.slice(Block.PREFIX_BYTES, length));
    Range block = new Range(offset, length);
    KeptBlocks window = kept;
    if (window != null) {
      window.keep(block, buffer.slice(Block.PREFIX_BYTES, length));
    }
    taken.accept(block);
    buffer.putInt(0, length).putLong(Block.LENGTH_BYTES, offset);
    return new Piece(buffer, () -> lane.release(slot), false);
  }

  private int readInto(DigestLane.Slot slot, ByteBuffer buffer, IntSupplier most)
      throws TransferFailed {
    int bytes = most.getAsInt();
    reading.begins();
    try {
      lookNowAndThen();
      return content.read(buffer, bytes);
    } catch (TransferFailed e) {
      lane.release(slot);
      throw e;
    } finally {
      reading.ends();
    }
  }

  /**
   * Reads a block that the receiver lacks; {@link SourceCheck} computes the digest in this case.
   */
  private @Nullable Piece readMissing(ByteRanges there, IntSupplier most, Consumer<Range> taken)
      throws TransferFailed {
    long offset = there.missingFrom(content.position());
    if (offset >= size) {
      content.moveTo(size);
      return null;
    }
    long next = there.nextFrom(offset, size);
    int hole = content.hole(offset, next - offset);
    if (hole > 0) {
      return takeHole(offset, hole, taken);
    }
    long end = offset + content.data(offset, (int) Math.min(next - offset, most.getAsInt()));
    Range block = new Range(offset, (int) (end - offset));
    Piece piece = readAgain(block);
    content.moveTo(end);
    taken.accept(block);
    return piece;
  }

  private Piece takeHole(long offset, int length, Consumer<Range> taken) throws TransferFailed {
    lookNowAndThen();
    Range block = new Range(offset, length, true);
    content.moveTo(block.end());
    holesAhead = Math.max(0, holesAhead - length);
    taken.accept(block);
    return hole(block);
  }

  private static Piece hole(Range block) {
    ByteBuffer message =
        ByteBuffer.allocate(Block.HOLE_BYTES)
            .putInt(Block.HOLE)
            .putLong(block.offset())
            .putInt(block.length());
    return new Piece(message.flip(), () -> {}, false);
  }

  /**
   * Restarts reading at the beginning, without what the receiver holds.
   *
   * @param there what need not be read
   */
  synchronized void readAround(ByteRanges there) {
    held = there;
    content.moveTo(0);
    holesAhead = holeBytes;
    synchronized (checkLock) {
      heldExtents.clear();
      stopCheck();
    }
  }

  /**
   * Records extents that the receiver holds.
   *
   * @return whether the list is complete
   */
  boolean note(List<Extent> extents) {
    synchronized (checkLock) {
      // Only the digest covers further extents.
      if (heldExtents.size() + extents.size() <= MOST_EXTENTS) {
        heldExtents.addAll(extents);
      }
    }
    return extents.isEmpty();
  }

  /**
   * Starts to read the file for its digest and to compare it with what the receiver holds, unless
   * that is not needed or has been started.
   */
  void startCheck(SourceCheck.Listener listener) {
    synchronized (checkLock) {
      if (held != null && check == null) {
        SourceCheck.Source source =
            (into, offset) -> {
              lookNowAndThen();
              content.readAgain(into, offset);
            };
        SourceCheck begun = new SourceCheck(source, size, List.copyOf(heldExtents), listener);
        check = begun;
        begun.start();
      }
    }
  }

  /** Stops the comparison with what the receiver holds. Called with this locked. */
  private void stopCheck() {
    SourceCheck running = check;
    if (running != null) {
      running.close();
      check = null;
    }
  }

  /** Whether the digest of everything is available at once, or soon. */
  boolean hasDigest() {
    SourceCheck whole = check;
    return held == null
        ? lane.keepsUp() // Holes arrive more quickly than they are digested.
        : whole != null && whole.sha256() != null;
  }

  /**
   * Reads a block again. If blocks are kept, the block must not have arrived, so that the caller
   * holds the transfer's lock.
   */
  Piece readAgain(Range block) throws TransferFailed {
    if (block.hole()) {
      return hole(block);
    }
    ByteBuffer buffer = ByteBuffer.allocate(Block.PREFIX_BYTES + block.length());
    buffer.putInt(block.length()).putLong(block.offset());
    KeptBlocks window = kept;
    if (window == null) {
      reading.begins();
      try {
        lookNowAndThen();
        content.readAgain(buffer, block.offset());
      } finally {
        reading.ends();
      }
    } else {
      window.read(block, buffer);
    }
    return new Piece(buffer.flip(), () -> {}, false);
  }

  /**
   * Returns the trailer, once everything was read. It may be sent over several connections: the
   * receiver takes the first. Guarded by the transfer's lock.
   */
  Piece trailer() throws IOException, InterruptedException {
    original.requireUnchanged();
    SourceCheck whole = check;
    Sha256 checked = whole == null ? null : whole.sha256();
    Sha256 known = checked == null ? sha256 : checked;
    Sha256 digest = known == null ? lane.finish() : known;
    sha256 = digest;
    return last(
        ByteBuffer.allocate(Block.TRAILER_BYTES)
            .putInt(0)
            .putLong(content.position())
            .put(digest.bytes()));
  }

  private void lookNowAndThen() throws TransferFailed {
    long now = System.nanoTime();
    if (now - lookedNanos >= LOOK_NANOS) {
      lookedNanos = now;
      original.requireUnchanged();
    }
  }

  /** Message that the sender has nothing to send at present. */
  static Piece alive() {
    return new Piece(
        ByteBuffer.allocate(Block.LENGTH_BYTES).putInt(Block.ALIVE).flip(), () -> {}, false);
  }

  /** Message in place of a block that the sender cannot continue. */
  static Piece ended(TransferFailed why) {
    return ended(why.keeps() ? Block.STOPPED : Block.GIVEN_UP, String.valueOf(why.getMessage()));
  }

  /** Message in place of a block that the sender's user cancelled the transfer. */
  static Piece stopped(String why) {
    return ended(Block.STOPPED, why);
  }

  private static Piece ended(int number, String why) {
    byte[] reason = why.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(reason.length, Block.MAX_REASON_BYTES);
    return last(
        ByteBuffer.allocate(Block.LENGTH_BYTES + 2 + length)
            .putInt(number)
            .putShort((short) length)
            .put(reason, 0, length));
  }

  private static Piece last(ByteBuffer bytes) {
    return new Piece(bytes.flip(), () -> {}, true);
  }

  @Override
  public void close() {
    synchronized (checkLock) {
      stopCheck();
    }
    lane.close();
    content.close();
  }
}
