package io.cascade.relay.destination;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.DestinationUse;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Destinations to which streams of proxies' clients went directly since the last report. Holds the
 * {@value #MOST} most recently used destinations. Thread-safe.
 */
public final class DestinationUses {
  /** The contract's limit on destinations in a report. */
  public static final int MOST = 256;

  private final Map<String, Use> uses = BoundedMap.ofLatestUsed(MOST);

  private record Use(long streams, long bytes, double bitsPerSecond) {
    Use and(Use more) {
      return new Use(
          streams + more.streams, bytes + more.bytes, Math.max(bitsPerSecond, more.bitsPerSecond));
    }
  }

  /** Records that a stream has begun. */
  public void began(String destination) {
    add(destination, new Use(1, 0, 0));
  }

  /**
   * Records the traffic of a stream.
   *
   * @param bytes in both directions
   * @param bitsPerSecond the rate in one direction; 0 if unknown
   */
  public void carried(String destination, long bytes, double bitsPerSecond) {
    add(destination, new Use(0, bytes, bitsPerSecond));
  }

  /** Returns the uses that are not reported yet, and marks them as reported. */
  public synchronized List<DestinationUse> take() {
    List<DestinationUse> all =
        uses.entrySet().stream()
            .map(entry ->
                new DestinationUse(
                    entry.getKey(),
                    entry.getValue().streams(),
                    entry.getValue().bytes(),
                    rate(entry.getValue())))
            .toList();
    uses.clear();
    return all;
  }

  /** Marks uses as not reported, after their report has failed. */
  public synchronized void untold(List<DestinationUse> taken) {
    for (DestinationUse use : taken) {
      Double rate = use.bitsPerSecond();
      add(use.destination(), new Use(use.streams(), use.bytes(), rate == null ? 0 : rate));
    }
  }

  private static @Nullable Double rate(Use use) {
    return use.bitsPerSecond() > 0 ? (Double) use.bitsPerSecond() : null;
  }

  private synchronized void add(String destination, Use more) {
    uses.merge(destination, more, Use::and);
  }
}
