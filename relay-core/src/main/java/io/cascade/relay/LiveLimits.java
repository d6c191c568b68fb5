package io.cascade.relay;

import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.relay.Limits;
import io.cascade.relay.chain.ChainTable;
import java.time.Duration;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What the running relay allows itself: what its command line said, until somebody changes it.
 * Running streams are kept whatever the new limits say.
 */
final class LiveLimits {
  private static final Logger LOG = Logger.getLogger(LiveLimits.class.getName());

  private final ChainTable chains;
  private volatile Duration drain;

  LiveLimits(ChainTable chains, Duration drain) {
    this.chains = chains;
    this.drain = drain;
  }

  Duration drain() {
    return drain;
  }

  /** As the relay-control contract has it. */
  Limits document() {
    return new Limits(
        chains.mostStreams(),
        chains.memory().totalBytes(),
        chains.streamBytes(),
        (int) drain.toSeconds());
  }

  /** As the orchestrator's contract has it. */
  RelayLimits announced() {
    Limits now = document();
    return new RelayLimits(
        now.maxStreams(), now.memoryBytes(), now.streamBytes(), now.drainSeconds());
  }

  /** What is null stays as it is. */
  synchronized Limits change(Limits wanted) {
    Limits before = document();
    chains.limit(
        Objects.requireNonNullElse(wanted.maxStreams(), chains.mostStreams()),
        Objects.requireNonNullElse(wanted.streamBytes(), chains.streamBytes()));
    chains
        .memory()
        .resize(Objects.requireNonNullElse(wanted.memoryBytes(), chains.memory().totalBytes()));
    if (wanted.drainSeconds() != null) {
      drain = Duration.ofSeconds(wanted.drainSeconds());
    }
    Limits after = document();
    if (!after.equals(before)) {
      LOG.log(Level.INFO, "limits changed from {0} to {1}", new Object[] {before, after});
    }
    return after;
  }
}
