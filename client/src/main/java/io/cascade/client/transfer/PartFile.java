package io.cascade.client.transfer;

import io.cascade.command.FileKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is not whole yet: {@code .NAME.cascade-part}, a name that users give no file of
 * theirs. It takes its own name only in {@link #commit}; closed without that, it vanishes.
 */
final class PartFile implements AutoCloseable {
  private static final String SUFFIX = ".cascade-part";

  private final Path target;
  private final Path part;
  private final FileChannel channel;
  private final OutputTarget output;
  private boolean committed;

  private PartFile(Path target, Path part, FileChannel channel, OutputTarget output) {
    this.target = target;
    this.part = part;
    this.channel = channel;
    this.output = output;
  }

  /**
   * @param size bytes that will be written, or {@link TransferHeader#UNKNOWN_SIZE}
   * @throws TransferFailed naming the fix where the file may not or cannot be written
   */
  static PartFile create(Path target, OutputTarget output, long size) throws TransferFailed {
    if (Files.isDirectory(target)) {
      throw new TransferFailed(target + " is a folder");
    }
    if (!output.overwrite() && Files.exists(target)) {
      throw exists(target);
    }
    requireReplaceable(target);
    Path part = target.resolveSibling("." + target.getFileName() + SUFFIX);
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              java.nio.file.LinkOption.NOFOLLOW_LINKS);
      lock(channel, part, target);
      channel.truncate(0); // Left by a receiver that was killed.
      requireSpace(part, size);
      return new PartFile(target, part, channel, output);
    } catch (TransferFailed e) {
      closeQuietly(channel);
      throw e;
    } catch (IOException e) {
      closeQuietly(channel);
      throw new TransferFailed("cannot write " + part + ": " + reason(e), e);
    }
  }

  /** A file that cannot fit is refused before its first byte travels. */
  private static void requireSpace(Path part, long size) throws IOException {
    long free = Files.getFileStore(part).getUsableSpace();
    if (size > free) {
      Files.delete(part);
      throw new TransferFailed(
          "no room for %d bytes in %s: %d are free, %d are missing; fix: make room, or --output elsewhere"
              .formatted(size, part.toAbsolutePath().getParent(), free, size - free));
    }
  }

  private static void requireReplaceable(Path target) throws TransferFailed {
    try {
      FileKind.requireReplaceable(target);
    } catch (IOException e) {
      throw new TransferFailed(
          target + ": " + reason(e) + "; fix: --output with the name of a file, or of a folder", e);
    }
  }

  /** Keeps other senders and other receivers away until the channel is closed. */
  private static void lock(FileChannel channel, Path part, Path target) throws IOException {
    try {
      if (channel.tryLock() == null) {
        throw new TransferFailed(
            part + " is being written by another receiver; fix: stop it, or --output elsewhere");
      }
    } catch (OverlappingFileLockException e) {
      throw new TransferFailed(
          target + " is arriving from another sender; fix: wait for it, or send --name NAME", e);
    }
  }

  /** Writes the bytes at an offset of the file. */
  void write(ByteBuffer bytes, long offset) throws TransferFailed {
    try {
      long at = offset;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    } catch (IOException e) {
      throw new TransferFailed("cannot write " + part + ": " + reason(e), e);
    }
  }

  /**
   * Reads bytes that were written, until the buffer is full.
   *
   * @throws TransferFailed where they cannot be read
   */
  void read(ByteBuffer into, long offset) throws TransferFailed {
    try {
      long at = offset;
      while (into.hasRemaining()) {
        int read = channel.read(into, at);
        if (read < 0) {
          throw new TransferFailed(part + " became shorter while it was written");
        }
        at += read;
      }
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + part + ": " + reason(e), e);
    }
  }

  /** Gives the file its name, in one step. */
  Path commit() throws TransferFailed {
    try {
      if (output.sync()) {
        channel.force(true);
      }
      if (output.overwrite()) {
        FileKind.requireReplaceable(target); // It may have been put there meanwhile.
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        moveUnlessThere();
      }
      committed = true;
      return target;
    } catch (FileAlreadyExistsException e) {
      throw exists(target);
    } catch (IOException e) {
      throw new TransferFailed("cannot rename " + part + ": " + reason(e), e);
    }
  }

  /** A hard link fails where the name is taken, which a rename does not. */
  private void moveUnlessThere() throws IOException {
    try {
      Files.createLink(target, part);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.move(part, target); // A file system without hard links: checked, then renamed.
      return;
    }
    Files.delete(part);
  }

  private static TransferFailed exists(Path target) {
    return new TransferFailed(target + " exists already; the receiver overwrites with --overwrite");
  }

  private static String reason(IOException e) {
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return String.valueOf(failure.getReason());
    }
    if (e instanceof java.nio.file.NoSuchFileException) {
      return "no such folder";
    }
    if (e instanceof java.nio.file.AccessDeniedException) {
      return "permission denied";
    }
    return String.valueOf(e.getMessage());
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing was written.
      }
    }
  }

  @Override
  public void close() {
    try {
      if (!committed) {
        Files.deleteIfExists(part); // Before the lock goes, so that it is ours that is deleted.
      }
    } catch (IOException e) {
      // It keeps the name that says that it is not whole.
    }
    closeQuietly(channel);
  }
}
