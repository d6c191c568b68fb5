package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Detects whether this process is about to run out of file descriptors (RLIMIT_NOFILE).
 *
 * <p>The kernel assigns the lowest free number, so the last connection's number shows how many are
 * in use. Some are reserved for what must work when no new stream can be accepted: the onward
 * connections of the last streams, the control endpoint, files. The NIO transport does not expose
 * the numbers, so there descriptors never count as scarce.
 */
public final class Descriptors {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final long LEAST_RESERVE = 32;
  private static final long MOST_RESERVE = 256;
  private static final int RESERVED_PART = 16;

  /** Descriptors per stream: its inlet and its onward connection. */
  private static final int OF_A_STREAM = 2;

  private final long mostForStreams;
  private volatile int lastTaken;

  /**
   * @param limit most descriptors of this process
   */
  public Descriptors(long limit) {
    this.mostForStreams = limit - Math.clamp(limit / RESERVED_PART, LEAST_RESERVE, MOST_RESERVE);
  }

  /** Watches this process's limit; does nothing if it is unknown. */
  public static Descriptors ofThisProcess() {
    try (Stream<String> lines = Files.lines(LIMITS)) {
      return new Descriptors(
          lines
              .filter(line -> line.startsWith("Max open files"))
              .map(line -> line.split("\\s+", -1)[3])
              .filter(soft -> !soft.equals("unlimited"))
              .mapToLong(Long::parseLong)
              .findFirst()
              .orElse(Integer.MAX_VALUE));
    } catch (IOException e) {
      return new Descriptors(Integer.MAX_VALUE);
    }
  }

  /** Number of concurrent streams for which they suffice. */
  public long streams() {
    return mostForStreams / OF_A_STREAM;
  }

  /** Returns the limit that suffices for so many streams. */
  public static long neededFor(int streams) {
    return (long) OF_A_STREAM * streams + MOST_RESERVE;
  }

  /** A connection was opened or accepted. */
  public void taken(Channel channel) {
    if (channel instanceof UnixChannel unix) {
      taken(unix.fd().intValue());
    }
  }

  void taken(int number) {
    lastTaken = number;
  }

  /** Whether no descriptor would be left for a new stream. */
  public boolean scarce() {
    return lastTaken >= mostForStreams;
  }
}
