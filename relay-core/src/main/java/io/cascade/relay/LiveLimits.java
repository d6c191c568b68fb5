package io.cascade.relay;

import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.relay.Limits;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.handover.TunedLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What the running relay allows itself: what its command line said, until somebody changes it.
 * Running streams are kept whatever the new limits say.
 */
final class LiveLimits {
  private static final Logger LOG = Logger.getLogger(LiveLimits.class.getName());

  private final ChainTable chains;
  private final Limits commandLine;
  private volatile Duration drain;

  LiveLimits(ChainTable chains, Duration drain) {
    this.chains = chains;
    this.drain = drain;
    this.commandLine = document();
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

  /** For a process that takes this one's place. */
  TunedLimits bequest() {
    return new TunedLimits(commandLine, document());
  }

  /**
   * Goes on with what the process before was told while it ran. Where this one's command line says
   * something else than that one's did, it was changed since, and holds.
   */
  void inherit(TunedLimits before) {
    Limits then = before.commandLine();
    Limits tuned = before.now();
    Limits _ =
        change(
            new Limits(
                kept(commandLine.maxStreams(), then.maxStreams(), tuned.maxStreams()),
                kept(commandLine.memoryBytes(), then.memoryBytes(), tuned.memoryBytes()),
                kept(commandLine.streamBytes(), then.streamBytes(), tuned.streamBytes()),
                kept(commandLine.drainSeconds(), then.drainSeconds(), tuned.drainSeconds())));
  }

  private static <T> @Nullable T kept(@Nullable T said, @Nullable T saidThen, @Nullable T tuned) {
    return Objects.equals(said, saidThen) ? tuned : null;
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
