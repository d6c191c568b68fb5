package io.cascade.client.ways;

import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.coded.PathMemory.KnownPath;
import io.cascade.command.StateHome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What coded sessions of this user learned of their paths, kept from one process to the next: one
 * file with a line for each address, at most {@value PathMemory#MOST_PATHS}, replaced as a whole.
 *
 * <pre>
 * ADDRESS BYTES-IN-FLIGHT ROUND-TRIP-MICROSECONDS LOSS-RATE SECONDS-SINCE-1970
 * </pre>
 *
 * Only a hint: what cannot be read counts as unknown, and what cannot be written is not kept.
 */
final class KnownPaths {
  private static final long MOST_BYTES = 64 << 10;
  private static final int FIELDS = 5;

  private final PathMemory memory = new PathMemory();
  private final Path file;
  private final InstantSource clock;
  private final LongSupplier nanos;

  /** What the file said. */
  private final Map<InetAddress, KnownPath> read = new HashMap<>();

  /**
   * @param clock the time of day, by which other processes know how old a line is
   * @param nanos a monotonic clock
   */
  KnownPaths(Path file, InstantSource clock, LongSupplier nanos) {
    this.file = file;
    this.clock = clock;
    this.nanos = nanos;
    try {
      if (Files.size(file) <= MOST_BYTES) {
        Files.readAllLines(file).forEach(this::read);
      }
    } catch (IOException e) {
      // Nothing is known.
    }
  }

  static KnownPaths ofThisUser() {
    return new KnownPaths(
        StateHome.cascade().resolve("paths"), InstantSource.system(), System::nanoTime);
  }

  PathMemory memory() {
    return memory;
  }

  private void read(String line) {
    String[] fields = line.split(" ", FIELDS + 1);
    if (fields.length != FIELDS) {
      return;
    }
    try {
      Duration age =
          Duration.ofSeconds(
              Math.subtractExact(clock.instant().getEpochSecond(), Long.parseLong(fields[4])));
      if (!age.isNegative()) { // Else the clock was set.
        InetAddress peer = InetAddress.ofLiteral(fields[0]);
        KnownPath path =
            new KnownPath(
                Long.parseLong(fields[1]),
                Duration.ofNanos(Math.multiplyExact(1_000, Long.parseLong(fields[2]))),
                Double.parseDouble(fields[3]));
        read.put(peer, path);
        memory.note(peer, path, Math.subtractExact(nanos.getAsLong(), age.toNanos()));
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // The line says nothing.
    }
  }

  /** Keeps what is known now, where a session has learned something. */
  void keep() {
    Map<InetAddress, PathMemory.Aged> known = memory.known(nanos.getAsLong());
    Path folder = file.toAbsolutePath().getParent();
    boolean isNothingNew =
        known.size() == read.size()
            && known.entrySet().stream()
                .allMatch(each -> each.getValue().path().equals(read.get(each.getKey())));
    if (isNothingNew || folder == null) {
      return;
    }
    long now = clock.instant().getEpochSecond();
    List<String> lines = new ArrayList<>();
    known.forEach((peer, aged) ->
        lines.add(
            "%s %d %d %s %d"
                .formatted(
                    peer.getHostAddress(),
                    aged.path().bytes(),
                    aged.path().roundTrip().toNanos() / 1_000,
                    aged.path().lossRate(),
                    now - aged.age().toSeconds())));
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path written = Files.createTempFile(folder, "paths", null); // Of mode 0600.
      try {
        Files.write(written, lines);
        Files.move(
            written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // The next process begins without it.
    }
  }
}
