package io.cascade.carriage.coded;

import io.cascade.coding.control.RetainedPath;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the paths to peers have carried, by address, for the start of later sessions (RFC 9959).
 * Holds the 256 most recently recorded paths, each for an hour. Thread-safe.
 */
public final class PathMemory {
  /** Most paths that are kept. */
  public static final int MOST_PATHS = 256;

  /** In the order in which they were recorded. */
  private final Map<InetAddress, Noted> paths = new LinkedHashMap<>();

  /**
   * A path.
   *
   * @param bytes in flight that it carried in a round trip without a queue, above 0
   * @param roundTrip the shortest one, above 0
   * @param lossRate share of packets lost below its capacity, 0 to 1
   */
  public record KnownPath(long bytes, Duration roundTrip, double lossRate) {
    public KnownPath {
      if (bytes <= 0 || !roundTrip.isPositive() || !(lossRate >= 0 && lossRate <= 1)) {
        throw new IllegalArgumentException(
            "path: %d bytes, %s, loss of %s (expected: above 0, above 0, 0 to 1)"
                .formatted(bytes, roundTrip, lossRate));
      }
    }
  }

  private record Noted(KnownPath path, long nanos) {
    boolean isOver(long nowNanos) {
      return nowNanos - nanos > RetainedPath.LIFETIME_NANOS;
    }
  }

  /**
   * Records a path, replacing what was known of it.
   *
   * @param nanos time of the observation, by {@link System#nanoTime()}
   */
  public synchronized void note(InetAddress peer, KnownPath path, long nanos) {
    paths.remove(peer);
    paths.put(peer, new Noted(path, nanos));
    if (paths.size() > MOST_PATHS) {
      paths.remove(paths.keySet().iterator().next());
    }
  }

  /** Removes a path whose record has proved wrong. */
  public synchronized void forget(InetAddress peer) {
    paths.remove(peer);
  }

  /** Returns the known paths with their ages, the most recently recorded one last. */
  public synchronized Map<InetAddress, Aged> known(long nowNanos) {
    paths.values().removeIf(noted -> noted.isOver(nowNanos));
    Map<InetAddress, Aged> known = new LinkedHashMap<>();
    paths.forEach((peer, noted) ->
        known.put(peer, new Aged(noted.path(), Duration.ofNanos(nowNanos - noted.nanos()))));
    return known;
  }

  /** A path and the age of its record. */
  public record Aged(KnownPath path, Duration age) {}

  /**
   * Returns what the start of a session may use.
   *
   * @param datagramBytes longest datagram of the session
   * @return null if nothing is known, or too little to help
   */
  synchronized @Nullable RetainedPath start(InetAddress peer, int datagramBytes, long nowNanos) {
    Noted noted = paths.get(peer);
    if (noted == null || noted.isOver(nowNanos)) {
      return null;
    }
    KnownPath path = noted.path();
    double packets = (double) path.bytes() / datagramBytes;
    return packets < RetainedPath.LEAST_PACKETS
        ? null
        : new RetainedPath(packets, path.roundTrip().toNanos(), path.lossRate());
  }

  /** Records what a session has learned of its path. */
  void note(InetAddress peer, RetainedPath learned, int datagramBytes, long nowNanos) {
    note(
        peer,
        new KnownPath(
            Math.round(learned.packets() * datagramBytes),
            Duration.ofNanos(learned.roundTripNanos()),
            learned.lossRate()),
        nowNanos);
  }
}
