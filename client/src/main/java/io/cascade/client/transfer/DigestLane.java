package io.cascade.client.transfer;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Digests on a thread of its own, so that it overlaps with reading and writing. The same thread
 * that {@link #take}s a buffer fills it, hands it to {@link #digest} and may go on reading its
 * content (a write to the network, say) until it takes the next one.
 *
 * <p>The buffers are all there is: a slow digest slows the caller, and memory stays constant.
 */
final class DigestLane implements AutoCloseable {
  private static final int BUFFERS = 4;

  private final BlockingQueue<ByteBuffer> empty = new ArrayBlockingQueue<>(BUFFERS);
  private final BlockingQueue<Work> work = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final MessageDigest sha256;
  private final Thread thread;

  /**
   * @param bufferBytes capacity of each buffer
   */
  DigestLane(int bufferBytes) {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    for (int i = 0; i < BUFFERS; i++) {
      empty.add(ByteBuffer.allocateDirect(bufferBytes));
    }
    thread = Thread.ofPlatform().daemon().name("sha-256").start(this::run);
  }

  /** An empty buffer, when there is one. */
  ByteBuffer take() throws InterruptedException {
    return empty.take().clear();
  }

  /**
   * Adds {@code content} to the digest, then makes {@code buffer} free again.
   *
   * @param buffer that was taken and has not been given back
   * @param content a view of what is to be digested in it
   */
  void digest(ByteBuffer buffer, ByteBuffer content) throws InterruptedException {
    work.put(new Work(buffer, content));
  }

  /** The digest of everything, after the last {@link #digest}. */
  Sha256 finish() throws InterruptedException {
    work.put(Work.LAST);
    thread.join();
    return new Sha256(sha256.digest());
  }

  private void run() {
    try {
      for (Work next = work.take(); next.buffer != null; next = work.take()) {
        sha256.update(next.content);
        empty.add(next.buffer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The lane was closed.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private record Work(@Nullable ByteBuffer buffer, ByteBuffer content) {
    static final Work LAST = new Work(null, ByteBuffer.allocate(0));
  }
}
