package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.ExtentCheck;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.command.Digests;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file once in order, on a thread of its own, while what the receiver lacks is already
 * sent: for the digest of the whole, and to find where the receiver holds other bytes.
 */
final class SourceCheck implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Source source;
  private final long size;
  private final ExtentCheck held;
  private final Listener listener;
  private final Thread thread;
  private volatile @Nullable Sha256 sha256;

  /** Reads bytes of the file until a buffer is full. */
  @FunctionalInterface
  interface Source {
    void read(ByteBuffer into, long offset) throws TransferFailed;
  }

  /** Is told of the check, on its thread. */
  interface Listener {
    /** More was read, or everything. */
    void moved();

    /** The receiver holds other bytes there. */
    void differs(Extent extent);

    /** The file cannot be read. */
    void failed(TransferFailed why);
  }

  /** Passes results on to a transfer. */
  static Listener listener(FileTransfer of) {
    return new Listener() {
      @Override
      public void moved() {
        of.moved();
      }

      @Override
      public void differs(Extent extent) {
        of.sendAnew(extent);
      }

      @Override
      public void failed(TransferFailed why) {
        of.unreadable(why);
      }
    };
  }

  /**
   * @param held extents that the receiver reported, in the order of the file
   */
  SourceCheck(Source source, long size, List<Extent> held, Listener listener) {
    this.source = source;
    this.size = size;
    this.held = new ExtentCheck(held);
    this.listener = listener;
    this.thread = Thread.ofPlatform().daemon().name("source-check").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** The digest of the file; null while it is being read. */
  @Nullable Sha256 sha256() {
    return sha256;
  }

  private void run() {
    try {
      MessageDigest digest = Digests.sha256();
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      for (long at = 0; at < size && !thread.isInterrupted(); ) {
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, size - at));
        source.read(buffer, at);
        buffer.flip();
        held.read(at, buffer).forEach(listener::differs);
        at += buffer.remaining();
        digest.update(buffer);
        listener.moved();
      }
      if (!thread.isInterrupted()) {
        sha256 = new Sha256(digest.digest());
        listener.moved();
      }
    } catch (TransferFailed e) {
      if (!thread.isInterrupted()) {
        listener.failed(e);
      }
    } catch (RuntimeException | Error e) { // Memory may be exhausted; threads wait for the result.
      listener.failed(new TransferFailed("cannot check what was sent: " + e, e));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
