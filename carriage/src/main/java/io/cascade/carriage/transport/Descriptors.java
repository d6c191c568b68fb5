package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Watches whether this process is about to run out of file descriptors (RLIMIT_NOFILE).
 *
 * <p>The kernel hands out the lowest number that is free, so the last connection's number says how
 * many are taken, whoever took them. Some are left for what must go on when no new stream can be
 * had: the onward connections of those just taken, the control endpoint, files. The NIO transport
 * does not show its numbers, and nothing is ever scarce there.
 */
public final class Descriptors {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final long LEAST_RESERVE = 32;
  private static final long MOST_RESERVE = 256;
  private static final int RESERVED_PART = 16;

  /** Descriptors of a stream: its inlet and its onward connection. */
  private static final int OF_A_STREAM = 2;

  private final long mostForStreams;
  private volatile int lastTaken;

  /**
   * @param limit how many this process may have
   */
  public Descriptors(long limit) {
    this.mostForStreams = limit - Math.clamp(limit / RESERVED_PART, LEAST_RESERVE, MOST_RESERVE);
  }

  /** Watches this process's limit; none where it cannot be told. */
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

  /** Number of streams that they are enough for at a time. */
  public long streams() {
    return mostForStreams / OF_A_STREAM;
  }

  /** Limit that is enough for so many streams. */
  public static long neededFor(int streams) {
    return (long) OF_A_STREAM * streams + MOST_RESERVE;
  }

  /** A connection was made or accepted. */
  public void taken(Channel channel) {
    if (channel instanceof UnixChannel unix) {
      taken(unix.fd().intValue());
    }
  }

  void taken(int number) {
    lastTaken = number;
  }

  /** Whether a new stream would have to go without. */
  public boolean scarce() {
    return lastTaken >= mostForStreams;
  }
}
