package io.cascade.orchestrator.links;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Evidence of streams on the ways from relays to destinations. Kept in memory, for the {@value
 * #MOST} ways that were used last.
 */
@Component
public class DestinationTransfers {
  static final int MOST = 1_000;

  private final Timekeeper time;
  private final Map<Way, Transfers> ways =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Way, Transfers> eldest) {
          return size() > MOST;
        }
      };

  DestinationTransfers(Timekeeper time) {
    this.time = time;
  }

  private record Way(String relay, HostPort destination) {}

  /**
   * A stream from a relay to a destination has shown something of the way.
   *
   * @param bitsPerSecond what went there meanwhile, other streams of the chain included
   */
  public synchronized void transferred(
      String relay, HostPort destination, LinkTransfer transfer, double bitsPerSecond) {
    ways.merge(
        new Way(relay, destination),
        Transfers.NONE.and(time.steady(), EvidenceSource.STREAM, transfer, bitsPerSecond),
        (before, _) -> before.and(time.steady(), EvidenceSource.STREAM, transfer, bitsPerSecond));
  }

  /** A direct stream from a relay's proxy has moved bulk at this rate. */
  public synchronized void seen(String relay, HostPort destination, double bitsPerSecond) {
    Instant now = time.steady();
    ways.merge(
        new Way(relay, destination),
        Transfers.atLeast(bitsPerSecond, now),
        (before, _) -> before.andAtLeast(bitsPerSecond, now));
  }

  /** Returns the evidence on a way. */
  public synchronized Transfers of(String relay, HostPort destination) {
    return ways.getOrDefault(new Way(relay, destination), Transfers.NONE);
  }
}
