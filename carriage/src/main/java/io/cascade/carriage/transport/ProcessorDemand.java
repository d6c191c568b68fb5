package io.cascade.carriage.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Demand of a thread for a processor: the time for which it ran and the time for which it waited to
 * run, as counted by the kernel's scheduler.
 *
 * <p>Used by that thread only.
 */
final class ProcessorDemand implements AutoCloseable {
  /** Value of {@link #nanos()} if the kernel does not provide it. */
  static final long UNKNOWN = -1;

  /**
   * Three numbers: nanoseconds on a processor, nanoseconds waiting for one, number of time slices.
   */
  private static final Path COUNTS = Path.of("/proc/thread-self/schedstat");

  private final ByteBuffer text = ByteBuffer.allocateDirect(80);
  private @Nullable FileChannel counts;
  private boolean known = true;

  /** Nanoseconds since the thread began, or {@link #UNKNOWN}. */
  long nanos() {
    if (!known) {
      return UNKNOWN;
    }
    try {
      FileChannel open = counts;
      if (open == null) {
        open = FileChannel.open(COUNTS, StandardOpenOption.READ);
        counts = open;
      }
      open.read(text.clear(), 0);
      text.flip();
      long got = number();
      known = got > 0;
      return known ? got + number() : UNKNOWN;
    } catch (IOException e) {
      known = false;
      return UNKNOWN;
    }
  }

  /** Reads the next number, and the space after it. */
  private long number() {
    long value = 0;
    while (text.hasRemaining()) {
      int digit = text.get() - '0';
      if (digit < 0) {
        break;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  @Override
  public void close() {
    FileChannel open = counts;
    if (open != null) {
      known = false;
      try {
        open.close();
      } catch (IOException e) {
        // It was only read.
      }
    }
  }
}
