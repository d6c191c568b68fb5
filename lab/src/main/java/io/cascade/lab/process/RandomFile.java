package io.cascade.lab.process;

import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** A file that cannot be compressed on the path. */
public final class RandomFile {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final long MARGIN_BYTES = 256L << 20;

  private RandomFile() {}

  /**
   * @throws CommandException where the folder's file system cannot hold the file and its copy
   */
  public static void checkRoom(Path folder, long bytes) {
    long free;
    try {
      free = Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      return; // Writing will report it.
    }
    long needed = Math.addExact(Math.multiplyExact(2, bytes), MARGIN_BYTES);
    if (free < needed) {
      throw new CommandException(
          "%s has %s free, the demo needs %s for the file and its copy. Make room, name another place with --folder, or a smaller --size"
              .formatted(folder, DataSize.format(free), DataSize.format(needed)));
    }
  }

  /** Writes it; the same seed produces the same file. */
  public static void write(Path file, long bytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long left = bytes;
      while (left > 0) {
        chunk.clear();
        LongBuffer longs = chunk.asLongBuffer();
        while (longs.hasRemaining()) {
          longs.put(random.nextLong());
        }
        chunk.limit((int) Math.min(left, CHUNK_BYTES));
        left -= chunk.limit();
        while (chunk.hasRemaining()) {
          out.write(chunk);
        }
      }
    } catch (IOException e) {
      throw new CommandException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
