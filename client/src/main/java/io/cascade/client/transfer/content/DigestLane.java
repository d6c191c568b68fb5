package io.cascade.client.transfer.content;

import io.cascade.command.Digests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Digests a file on a thread of its own, so that it overlaps with reading and writing.
 *
 * <p>The number of buffers is bounded, so that a slow digest slows the threads that take them: a
 * buffer is allocated when all others are in use, up to {@value #BUFFERS} and one more for each
 * reader ({@link #readBy}). A buffer becomes free when it was digested, if it was passed to the
 * digest, and its taker has released it. Several threads may take buffers; they are digested in the
 * order in which they were passed to the digest.
 */
public final class DigestLane implements AutoCloseable {
  private static final int BUFFERS = 4;

  /** Readers with a buffer each: a sender opens eight connections where losses slow it down. */
  private static final int MOST_READERS = 8;

  /**
   * Most queued bytes, to be read back or of holes, at which the digest keeps up ({@link
   * #keepsUp}). Beyond, callers only store further bytes, and have them read back later.
   */
  private static final long MOST_AHEAD = 16L << 20;

  private final BlockingQueue<Slot> empty = new LinkedBlockingQueue<>();
  private final BlockingQueue<Work> work = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final MessageDigest sha256;
  private final int bufferBytes;
  private final Thread thread;
  private final AtomicLong behind = new AtomicLong();
  private final AtomicInteger restarts = new AtomicInteger();
  private volatile @Nullable IOException failure;
  private int allocated;
  private int most = BUFFERS;

  /**
   * @param bufferBytes capacity of each buffer
   */
  public DigestLane(int bufferBytes) {
    sha256 = Digests.sha256();
    this.bufferBytes = bufferBytes;
    thread = Thread.ofPlatform().daemon().name("sha-256").start(this::run);
  }

  /** A buffer and the count of its users. */
  public static final class Slot {
    /** The bytes; empty for a hole. */
    public final ByteBuffer buffer;

    private final int zeros;
    private final AtomicInteger holders = new AtomicInteger();

    private Slot(ByteBuffer buffer, int zeros) {
      this.buffer = buffer;
      this.zeros = zeros;
    }

    /** A hole, which needs no buffer. */
    public static Slot hole(int length) {
      return new Slot(ByteBuffer.allocate(0), length);
    }

    /** Whether it represents a hole, which has no bytes. */
    public boolean isHole() {
      return zeros > 0;
    }

    /** Bytes of the file that it represents. */
    public int length() {
      return isHole() ? zeros : buffer.remaining();
    }
  }

  /** Reads bytes of the file until a buffer is full. */
  @FunctionalInterface
  public interface Reader {
    void read(ByteBuffer into, long offset) throws IOException;
  }

  /**
   * Sets the number of readers, each of which may keep its buffer while its peer is silent, without
   * blocking the others.
   */
  public synchronized void readBy(int readers) {
    most = BUFFERS + Math.min(readers, MOST_READERS);
  }

  /** Takes an empty buffer; waits until there is one. */
  public Slot take() throws InterruptedException {
    Slot slot = empty.poll();
    if (slot == null) {
      slot = awaited();
    }
    slot.buffer.clear();
    slot.holders.set(1);
    return slot;
  }

  /** Checks the bound periodically, since it rises with the readers. */
  private Slot awaited() throws InterruptedException {
    while (true) {
      Slot slot = mayAllocate() ? allocate() : empty.poll(1, TimeUnit.SECONDS);
      if (slot != null) {
        return slot;
      }
    }
  }

  private synchronized boolean mayAllocate() {
    boolean may = allocated < most;
    allocated += may ? 1 : 0;
    return may;
  }

  private synchronized boolean isNeeded() {
    boolean needed = allocated <= most;
    allocated -= needed ? 0 : 1;
    return needed;
  }

  private Slot allocate() {
    return new Slot(ByteBuffer.allocateDirect(bufferBytes), 0);
  }

  /**
   * Adds {@code content} to the digest.
   *
   * @param slot that was taken and not released yet
   * @param content a view of the bytes to digest in it
   */
  public void digest(Slot slot, ByteBuffer content) throws InterruptedException {
    slot.holders.incrementAndGet();
    behind.addAndGet(slot.zeros);
    work.put(new Digest(slot, content));
  }

  /** Adds stored bytes to the digest. A failure to read them is reported by {@link #finish}. */
  public void digest(Reader stored, long offset, long length) throws InterruptedException {
    behind.addAndGet(length);
    work.put(new ReadBack(stored, offset, length, restarts.get()));
  }

  /** Whether the digest follows closely, so that it does not keep a buffer for long. */
  public boolean keepsUp() {
    return behind.get() <= MOST_AHEAD;
  }

  /**
   * Discards the digest so far and begins anew.
   *
   * @param begins runs on the digest's thread then
   */
  public void restart(Runnable begins) throws InterruptedException {
    int number = restarts.incrementAndGet();
    work.put(new Restart(begins, number));
  }

  /** Releases a buffer on behalf of its taker. */
  public void release(Slot slot) {
    if (slot.holders.decrementAndGet() == 0 && !slot.isHole() && isNeeded()) {
      empty.add(slot);
    }
  }

  /**
   * The digest of everything, after the last {@code digest}.
   *
   * @throws IOException where something that was stored could not be read back
   */
  public Sha256 finish() throws IOException, InterruptedException {
    Sum sum = sum();
    Sha256 digest = sum.await(Duration.ofSeconds(1));
    while (digest == null) {
      digest = sum.await(Duration.ofSeconds(1));
    }
    return digest;
  }

  /** Requests the digest of everything so far. */
  public Sum sum() throws InterruptedException {
    Sum sum = new Sum(thread);
    work.put(new Completion(sum));
    return sum;
  }

  /** A digest that is being computed. */
  public static final class Sum {
    private final CompletableFuture<Sha256> digest = new CompletableFuture<>();
    private final Thread thread;

    private Sum(Thread thread) {
      this.thread = thread;
    }

    /**
     * Waits for the digest, up to a time-out.
     *
     * @return null on time-out
     * @throws IOException where something that was stored could not be read back
     */
    public @Nullable Sha256 await(Duration time) throws IOException, InterruptedException {
      try {
        return digest.get(time.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (thread.isAlive() || digest.isDone()) {
          return null;
        }
        throw new ClosedChannelException();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failed) {
          throw failed;
        }
        throw new IllegalStateException(e);
      }
    }
  }

  private void complete(Sum sum) {
    IOException failed = failure;
    byte[] value = sha256.digest();
    if (failed == null) {
      sum.digest.complete(new Sha256(value));
    } else {
      sum.digest.completeExceptionally(failed);
    }
  }

  private void run() {
    try {
      while (true) {
        switch (work.take()) {
          case Digest(Slot slot, ByteBuffer content) -> {
            sha256.update(content);
            Zeros.digest(sha256, slot.zeros);
            behind.addAndGet(-slot.zeros);
            release(slot);
          }
          case ReadBack back -> readBack(back);
          case Restart(Runnable begins, int number) -> {
            if (number == restarts.get()) { // Otherwise another restart follows.
              sha256.reset();
              failure = null;
              begins.run();
            }
          }
          case Completion(Sum sum) -> complete(sum);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The lane was closed.
    } finally {
      releaseTheRest();
    }
  }

  /** Wakes threads that wait for a buffer, so that they notice that their connection was closed. */
  private void releaseTheRest() {
    for (Work left = work.poll(); left != null; left = work.poll()) {
      if (left instanceof Digest(Slot slot, ByteBuffer _)) {
        release(slot);
      } else if (left instanceof Completion(Sum sum)) {
        sum.digest.completeExceptionally(new ClosedChannelException());
      }
    }
  }

  private void readBack(ReadBack back) {
    try {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(bufferBytes, back.length));
      for (long done = 0; isWanted(back, done); ) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), back.length - done));
        back.stored.read(buffer, back.offset + done);
        done += buffer.position();
        sha256.update(buffer.flip());
      }
    } catch (IOException e) {
      failure = e;
    } catch (OutOfMemoryError e) {
      // The thread continues, since others wait for it.
      failure = new IOException("out of memory", e);
    } finally {
      behind.addAndGet(-back.length);
    }
  }

  private boolean isWanted(ReadBack back, long done) {
    return done < back.length
        && failure == null
        && back.restarts == restarts.get()
        && !Thread.currentThread().isInterrupted();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private sealed interface Work permits Digest, ReadBack, Restart, Completion {}

  private record Digest(Slot slot, ByteBuffer content) implements Work {}

  private record ReadBack(Reader stored, long offset, long length, int restarts) implements Work {}

  private record Completion(Sum sum) implements Work {}

  private record Restart(Runnable begins, int number) implements Work {}
}
