package io.cascade.orchestrator.links;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Evidence from streams on the paths from relays to destinations, stored across restarts. */
@Component
public class DestinationTransfers {
  private final PathTransfers paths;
  private final Timekeeper time;

  @Autowired
  DestinationTransfers(JdbcClient db, Timekeeper time) {
    this(new PathTransferStore(db, PathTransferStore.Table.DESTINATION_PATH), time);
  }

  DestinationTransfers(PathTransferStore store, Timekeeper time) {
    this.paths = new PathTransfers(store, UnaryOperator.identity(), time);
    this.time = time;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    paths.start("destination-path-store");
  }

  @PreDestroy
  void stop() {
    paths.stop();
  }

  /**
   * Adds the evidence of a stream from a relay to a destination.
   *
   * @param bitsPerSecond rate to the destination meanwhile, including other streams of the chain
   */
  public void transferred(
      String relay, HostPort destination, LinkTransfer transfer, double bitsPerSecond) {
    Instant now = time.steady();
    paths.add(
        ends(relay, destination),
        before -> before.and(now, EvidenceSource.STREAM, transfer, bitsPerSecond));
  }

  /** Adds the rate of a direct bulk stream of a relay's proxy. */
  public void seen(String relay, HostPort destination, double bitsPerSecond) {
    Instant now = time.steady();
    paths.add(ends(relay, destination), before -> before.andAtLeast(bitsPerSecond, now));
  }

  /** Returns the evidence on a path. */
  public Transfers of(String relay, HostPort destination) {
    return paths.of(ends(relay, destination));
  }

  private static PathEnds ends(String relay, HostPort destination) {
    return new PathEnds(relay, destination.toString());
  }
}
