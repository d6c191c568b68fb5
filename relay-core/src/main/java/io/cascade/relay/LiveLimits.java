package io.cascade.relay;

import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.relay.Limits;
import io.cascade.relay.chain.StreamAdmission;
import io.cascade.relay.chain.StreamLimits;
import io.cascade.relay.control.LimitsRefused;
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

  private final StreamAdmission streams;
  private final DirectMemory directMemory;
  private final Limits commandLine;
  private volatile Duration drain;

  LiveLimits(StreamAdmission streams, DirectMemory directMemory, Duration drain) {
    this.streams = streams;
    this.directMemory = directMemory;
    this.drain = drain;
    this.commandLine = document();
  }

  Duration drain() {
    return drain;
  }

  /** As the relay-control contract has it. */
  Limits document() {
    StreamLimits now = streams.limits();
    return new Limits(
        now.mostStreams(),
        streams.memory().totalBytes(),
        now.streamBytes(),
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
    try {
      Limits _ =
          change(
              new Limits(
                  kept(commandLine.maxStreams(), then.maxStreams(), tuned.maxStreams()),
                  kept(commandLine.memoryBytes(), then.memoryBytes(), tuned.memoryBytes()),
                  kept(commandLine.streamBytes(), then.streamBytes(), tuned.streamBytes()),
                  kept(commandLine.drainSeconds(), then.drainSeconds(), tuned.drainSeconds())));
    } catch (LimitsRefused e) {
      LOG.log(
          Level.WARNING, "limits of the relay that was replaced are not kept: {0}", e.getMessage());
    }
  }

  private static <T> @Nullable T kept(@Nullable T said, @Nullable T saidThen, @Nullable T tuned) {
    return Objects.equals(said, saidThen) ? tuned : null;
  }

  /**
   * What is null stays as it is.
   *
   * @throws LimitsRefused when they take more direct memory than there is, and than before
   */
  synchronized Limits change(Limits wanted) throws LimitsRefused {
    Limits before = document();
    int most = Objects.requireNonNullElse(wanted.maxStreams(), streams.limits().mostStreams());
    long memory = Objects.requireNonNullElse(wanted.memoryBytes(), streams.memory().totalBytes());
    long each = Objects.requireNonNullElse(wanted.streamBytes(), streams.limits().streamBytes());
    checkMemory(memory, most);
    streams.limit(new StreamLimits(most, each));
    streams.memory().resize(memory);
    if (wanted.drainSeconds() != null) {
      drain = Duration.ofSeconds(wanted.drainSeconds());
    }
    Limits after = document();
    if (!after.equals(before)) {
      LOG.log(Level.INFO, "limits changed from {0} to {1}", new Object[] {before, after});
    }
    return after;
  }

  /** Less than before is never refused. */
  private void checkMemory(long memory, int mostStreams) throws LimitsRefused {
    String shortage = directMemory.shortage(memory, mostStreams);
    long now = directMemory.needed(streams.memory().totalBytes(), streams.limits().mostStreams());
    if (shortage != null && directMemory.needed(memory, mostStreams) > now) {
      throw new LimitsRefused(shortage);
    }
  }
}
