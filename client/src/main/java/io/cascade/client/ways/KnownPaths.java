package io.cascade.client.ways;

import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.coded.PathMemory.KnownPath;
import io.cascade.coding.control.RetainedPath;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.command.StateHome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What coded sessions of this user learned about their paths, kept across processes: one file with
 * a line for each address, at most {@value PathMemory#MOST_PATHS}, replaced as a whole.
 *
 * <pre>
 * ADDRESS BYTES-IN-FLIGHT ROUND-TRIP-MICROSECONDS LOSS-RATE SECONDS-SINCE-1970
 * </pre>
 *
 * Only a hint: a path whose line cannot be read is unknown, and a failed write is ignored.
 */
final class KnownPaths {
  private static final long MOST_BYTES = 64 << 10;
  private static final int FIELDS = 5;

  private final PathMemory memory = new PathMemory();
  private final Path file;
  private final InstantSource clock;
  private final LongSupplier nanos;

  /** Content of the file. */
  private final Map<InetAddress, Line> read;

  /**
   * A line of the file.
   *
   * @param epochSeconds time of the observation
   */
  private record Line(KnownPath path, long epochSeconds) {
    String text(InetAddress peer) {
      return "%s %d %d %s %d"
          .formatted(
              peer.getHostAddress(),
              path.bytes(),
              path.roundTrip().toNanos() / 1_000,
              path.lossRate(),
              epochSeconds);
    }
  }

  /**
   * @param clock the time of day, by which other processes know the age of a line
   * @param nanos a monotonic clock
   */
  KnownPaths(Path file, InstantSource clock, LongSupplier nanos) {
    this.file = file;
    this.clock = clock;
    this.nanos = nanos;
    this.read = lines();
    long now = clock.instant().getEpochSecond();
    read.forEach((peer, line) ->
        memory.note(
            peer,
            line.path(),
            nanos.getAsLong() - Duration.ofSeconds(now - line.epochSeconds()).toNanos()));
  }

  static KnownPaths ofThisUser() {
    return new KnownPaths(
        StateHome.cascade().resolve("paths"), InstantSource.system(), System::nanoTime);
  }

  PathMemory memory() {
    return memory;
  }

  /** Lines of the file; none where it cannot be read. */
  private Map<InetAddress, Line> lines() {
    Map<InetAddress, Line> lines = new LinkedHashMap<>();
    try {
      if (Files.size(file) <= MOST_BYTES) {
        Files.readAllLines(file).forEach(line -> parse(line, lines));
      }
    } catch (IOException e) {
      // No path is known.
    }
    return lines;
  }

  private void parse(String text, Map<InetAddress, Line> into) {
    String[] fields = text.split(" ", FIELDS + 1);
    if (fields.length != FIELDS) {
      return;
    }
    try {
      long age = Math.subtractExact(clock.instant().getEpochSecond(), Long.parseLong(fields[4]));
      if (age >= 0
          // A negative age means that the clock was set back.
          && age <= RetainedPath.LIFETIME_NANOS / 1_000_000_000) {
        KnownPath path =
            new KnownPath(
                Long.parseLong(fields[1]),
                Duration.ofNanos(Math.multiplyExact(1_000, Long.parseLong(fields[2]))),
                Double.parseDouble(fields[3]));
        into.put(InetAddress.ofLiteral(fields[0]), new Line(path, Long.parseLong(fields[4])));
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // The line is ignored.
    }
  }

  /**
   * Stores the present knowledge of each path that a session has learned about. Lines of other
   * paths are kept: another process, or another way of this one, may have written them meanwhile.
   */
  void keep() {
    Map<InetAddress, PathMemory.Aged> known = memory.known(nanos.getAsLong());
    Set<InetAddress> learned = new LinkedHashSet<>(read.keySet());
    learned.addAll(known.keySet());
    learned.removeIf(peer -> {
      PathMemory.Aged now = known.get(peer);
      Line before = read.get(peer);
      return now != null && before != null && now.path().equals(before.path());
    });
    Path folder = file.toAbsolutePath().getParent();
    if (learned.isEmpty() || folder == null) {
      return;
    }
    long now = clock.instant().getEpochSecond();
    Map<InetAddress, Line> lines = lines();
    for (InetAddress peer : learned) {
      PathMemory.Aged aged = known.get(peer);
      if (aged != null || Objects.equals(lines.get(peer), read.get(peer))) {
        lines.remove(peer);
      } // Otherwise another process has newer knowledge.
      if (aged != null) {
        lines.put(peer, new Line(aged.path(), now - aged.age().toSeconds()));
      }
    }
    write(
        folder,
        lines.entrySet().stream()
            .skip(Math.max(0, lines.size() - PathMemory.MOST_PATHS))
            .map(each -> each.getValue().text(each.getKey()))
            .toList());
  }

  private void write(Path folder, List<String> lines) {
    try {
      OwnerOnlyFile.makeFolder(file);
      Path written = Files.createTempFile(folder, "paths", null); // Created with mode 0600.
      try {
        Files.write(written, lines);
        Files.move(
            written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      // The next process begins without it.
    }
  }
}
