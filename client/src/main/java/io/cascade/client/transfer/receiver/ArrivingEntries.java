package io.cascade.client.transfer.receiver;

import io.cascade.client.entries.Extracted;
import io.cascade.client.entries.Extractor;
import io.cascade.client.entries.Troubles;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.StandingReply;
import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries that arrive as one stream: blocks arrive in any order within a window of memory, and a
 * separate thread extracts files and folders from them in order. A byte leaves the window when it
 * was both extracted and digested. While the window is full, nothing more is read from the
 * connections, so that a slow disk blocks the sender.
 */
final class ArrivingEntries implements ArrivingFile {
  /** The sender's window, and a block of each connection that was read when it was nearly full. */
  static final int WINDOW_BYTES = Block.MOST_ENTRIES_AHEAD + 16 * Block.MAX_BYTES;

  /** Bytes that are extracted at a time, so that the window advances. */
  private static final int STEP_BYTES = 256 * 1_024;

  /** Time-out for the end of writing that an ended transfer waits for, since others wait for it. */
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /** Time-out for the end of writing, once no more data arrives. */
  private static final Duration LAST_WRITE = Duration.ofSeconds(10);

  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
  private static final int MOST_NAMED = 3;
  private static final int MOST_NAMED_CHARS = 250;

  private final Path destination;
  private final Extractor extractor;

  /** Byte n of the stream is at n modulo the capacity. */
  private ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);

  private final ByteRanges ranges = new ByteRanges();
  private long extracted;
  private long digested;
  private State state = State.OPEN;
  private @Nullable IOException failure;
  private @Nullable Extracted counts;
  private boolean hasEnded;

  private enum State {
    OPEN,
    /** All bytes have arrived and were extracted; the stream is to be declared complete. */
    WHOLE,
    CLOSED
  }

  private ArrivingEntries(Path destination, Extractor extractor) {
    this.destination = destination;
    this.extractor = extractor;
  }

  /**
   * @param output whose folder the entries are created in
   * @throws TransferFailed naming the fix where it is not a folder, or another stream is being
   *     written
   */
  static ArrivingEntries open(OutputTarget output) throws TransferFailed {
    if (output.sync()) {
      throw new TransferFailed(
          "--sync does not take folders; fix: start the receiver without --sync");
    }
    try {
      Extractor extractor = new Extractor(folder(output), output.overwrite(), output.entries());
      ArrivingEntries made = new ArrivingEntries(output.output(), extractor);
      Thread.ofPlatform().daemon().name("entries").start(made::run);
      return made;
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * @throws TransferFailed where the output is a file
   */
  static Path folder(OutputTarget output) throws TransferFailed {
    Path folder = output.output();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new TransferFailed(
          "the receiver's --output %s is no folder; fix: start it with --output DIR"
              .formatted(Printable.line(folder.toString())));
    }
    return folder;
  }

  @Override
  public synchronized boolean awaitRoom(long end, Duration time)
      throws TransferFailed, InterruptedException {
    if (end > ranges.contiguous() + WINDOW_BYTES) {
      throw new TransferFailed(
          "damaged on the way: a block up to byte %d, of which those from %d on are missing"
              .formatted(end, ranges.contiguous()));
    }
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis();
        left > 0 && !hasRoom(end) && isGoingOn();
        left = (deadline - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
    requireNoFailure();
    return hasRoom(end) || !isGoingOn();
  }

  private boolean isGoingOn() {
    return failure == null && state == State.OPEN;
  }

  private boolean hasRoom(long end) {
    return end <= Math.min(extracted, digested) + WINDOW_BYTES;
  }

  @Override
  public synchronized boolean isBehind() {
    return !hasEnded && extracted < ranges.contiguous();
  }

  private void requireNoFailure() throws TransferFailed {
    IOException why = failure;
    if (why != null) {
      throw new TransferFailed(String.valueOf(why.getMessage()), why);
    }
  }

  @Override
  public synchronized void write(ByteBuffer bytes, long offset) throws TransferFailed {
    requireNoFailure();
    long end = offset + bytes.remaining();
    if (!hasRoom(end) || ranges.overlap(offset, end) > 0) {
      throw new TransferFailed("damaged on the way: a block at offset " + offset);
    }
    for (long at = offset; bytes.hasRemaining(); ) {
      ByteBuffer part = at(at, bytes.remaining());
      int length = part.remaining();
      part.put(bytes.slice(bytes.position(), length));
      bytes.position(bytes.position() + length);
      at += length;
    }
    long _ = ranges.add(offset, end);
    notifyAll();
  }

  /** The bytes of the window from a position on, up to so many, or to its end. */
  private ByteBuffer at(long position, long most) {
    int index = (int) (position % WINDOW_BYTES);
    return window.slice(index, (int) Math.min(most, WINDOW_BYTES - index));
  }

  /** A block that is held already was sent twice and is unchanged: a stream is read once. */
  @Override
  public boolean holds(ByteBuffer content, long offset) {
    return true;
  }

  @Override
  public boolean isDigestedFromHere() {
    return true;
  }

  /** Called by the digest, in order. */
  @Override
  public synchronized void read(ByteBuffer into, long offset) throws TransferFailed {
    requireNoFailure();
    if (state == State.CLOSED || hasEnded || offset != digested) {
      throw new TransferFailed("the transfer is over");
    }
    while (into.hasRemaining()) {
      ByteBuffer part = at(digested, into.remaining());
      digested += part.remaining();
      into.put(part);
    }
    notifyAll();
  }

  private void run() {
    try (extractor) {
      for (ByteBuffer next = next(); next != null; next = next()) {
        int length = next.remaining();
        extractor.accept(next);
        extracted(length);
      }
      synchronized (this) {
        if (state == State.WHOLE) {
          counts = extractor.finish();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException | Error e) { // Memory may be exhausted: the sender is to be told.
      fail(new IOException("the receiver failed: " + e, e));
    } finally {
      synchronized (this) {
        hasEnded = true;
        window = NO_BYTES; // An ended transfer is remembered without its memory.
        notifyAll();
      }
    }
  }

  /** Returns the next bytes; null where no more arrive. */
  private synchronized @Nullable ByteBuffer next() throws InterruptedException {
    while (state == State.OPEN && ranges.contiguous() == extracted) {
      wait();
    }
    long left = ranges.contiguous() - extracted; // Also for an interrupted transfer.
    return left > 0 ? at(extracted, Math.min(STEP_BYTES, left)) : null;
  }

  private synchronized void extracted(int bytes) {
    extracted += bytes;
    notifyAll();
  }

  private synchronized void fail(IOException why) {
    failure = why;
    notifyAll();
  }

  @Override
  public synchronized boolean awaitWritten(Duration time)
      throws TransferFailed, InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis();
        left > 0 && isGoingOn() && extracted < ranges.contiguous();
        left = (deadline - System.nanoTime()) / 1_000_000) {
      wait(left);
    }
    requireNoFailure();
    return extracted == ranges.contiguous() || !isGoingOn();
  }

  /**
   * @throws TransferFailed naming the entries that were not created
   */
  @Override
  public synchronized Path commit() throws TransferFailed {
    if (state == State.OPEN) {
      state = State.WHOLE;
      notifyAll();
    }
    awaitEnd(LAST_WRITE);
    requireNoFailure();
    Extracted whole = counts;
    if (whole == null) {
      throw new TransferFailed("writing to %s does not complete".formatted(destination));
    }
    if (whole.refused().count() > 0) {
      throw new TransferFailed(reason(whole.refused()));
    }
    return destination;
  }

  private static String reason(Troubles refused) {
    List<String> lines = refused.lines();
    List<String> named =
        lines.stream()
            .limit(Math.min(MOST_NAMED, refused.count()))
            .map(ArrivingEntries::cut)
            .toList();
    long more = refused.count() - named.size();
    return "%d of the entries were not taken: %s%s"
        .formatted(
            refused.count(),
            String.join("; ", named),
            more > 0 ? "; and %d more".formatted(more) : "");
  }

  private static String cut(String line) {
    return line.length() <= MOST_NAMED_CHARS
        ? line
        : "…" + line.substring(line.length() - MOST_NAMED_CHARS);
  }

  /** Waits until the thread has ended, up to a time-out. Guarded by this object's lock. */
  private void awaitEnd(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    try {
      for (long left = time.toMillis();
          left > 0 && !hasEnded;
          left = (deadline - System.nanoTime()) / 1_000_000) {
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void answers(Consumer<StandingReply> told) {
    extractor.answers((first, standing) -> told.accept(new StandingReply(first, standing)));
  }

  @Override
  public synchronized @Nullable Extracted entries() {
    return counts;
  }

  @Override
  public synchronized String remains() {
    awaitEnd(LAST_WRITE);
    if (!hasEnded) {
      return "the earlier entries are in " + destination;
    }
    Extracted standing = extractor.soFar();
    String advice = counts == null ? "; the same send again sends the rest" : "";
    return "%d files, %d folders and %d links are in %s%s"
        .formatted(standing.files(), standing.folders(), standing.links(), destination, advice);
  }

  /** Ends the thread after it has written what has arrived, from which a later stream resumes. */
  @Override
  public synchronized void close() {
    if (state == State.OPEN) {
      state = State.CLOSED;
    }
    notifyAll();
    awaitEnd(CLOSING); // The next stream finds the folder unused, unless the disk is very slow.
  }
}
