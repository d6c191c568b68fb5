package io.cascade.relay.pump;

import io.cascade.command.OwnerOnlyFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A direction's bytes on disk, for store-and-forward. File operations run on one thread for all
 * spools and never on an event loop; that thread keeps the order of a spool's calls.
 */
final class Spool {
  static final int PIECE_BYTES = 64 * 1_024;

  private static final Set<StandardOpenOption> AS_NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private static final Executor DISK =
      Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "cascade-spool");
        thread.setDaemon(true);
        return thread;
      });

  private final Path folder;
  private final long mostBytes;
  private @Nullable FileChannel file; // used by the disk thread
  private boolean closed; // used by the disk thread
  private long appended; // used by the event loop, like all below
  private long stored;
  private long taken;

  Spool(Path folder, long mostBytes) {
    this.folder = folder;
    this.mostBytes = mostBytes;
  }

  /** Stores bytes and releases them; fails if the limit is reached or the write fails. */
  CompletableFuture<Void> append(ByteBuf bytes) {
    int length = bytes.readableBytes();
    appended += length;
    if (appended > mostBytes) {
      bytes.release();
      return CompletableFuture.failedFuture(
          new IOException("store-and-forward holds at most " + mostBytes + " bytes (spoolBytes)"));
    }
    return CompletableFuture.runAsync(
        () -> {
          try {
            FileChannel to = open();
            while (bytes.isReadable()) {
              bytes.readBytes(to, bytes.readableBytes());
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } finally {
            bytes.release();
          }
          stored(length);
        },
        DISK);
  }

  /** Reads the next piece; one call at a time. */
  CompletableFuture<ByteBuf> next(ByteBufAllocator allocator) {
    long from = taken;
    int length = (int) Math.min(PIECE_BYTES, appended - taken);
    taken += length;
    return CompletableFuture.supplyAsync(
        () -> {
          ByteBuf piece = allocator.directBuffer(length, length);
          try {
            long at = from;
            while (piece.writableBytes() > 0) {
              int read = piece.writeBytes(open(), at, piece.writableBytes());
              if (read < 0) {
                throw new IOException("the spool file is shorter than what was stored");
              }
              at += read;
            }
            return piece;
          } catch (IOException e) {
            piece.release();
            throw new UncheckedIOException(e);
          }
        },
        DISK);
  }

  /** Whether everything appended was written to the file. */
  synchronized boolean settled() {
    return stored == appended;
  }

  boolean exhausted() {
    return settled() && taken == appended;
  }

  void close() {
    DISK.execute(() -> {
      closed = true;
      try {
        if (file != null) {
          file.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private synchronized void stored(int bytes) {
    stored += bytes;
  }

  private FileChannel open() throws IOException {
    if (closed) {
      throw new IOException("the stream has ended");
    }
    FileChannel open = file;
    if (open == null) {
      Path path = folder.resolve("direction-" + UUID.randomUUID() + ".spool");
      OwnerOnlyFile.makeFolder(path);
      open = FileChannel.open(path, AS_NEW, OwnerOnlyFile.attributes(path));
      Files.delete(path); // unlinked at once, so that nothing remains after a crash
      file = open;
    }
    return open;
  }
}
