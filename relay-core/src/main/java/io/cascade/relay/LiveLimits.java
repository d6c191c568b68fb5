package io.cascade.relay;

import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.relay.Limits;
import io.cascade.relay.chain.StreamAdmission;
import io.cascade.relay.chain.StreamLimits;
import io.cascade.relay.control.LimitsRefused;
import io.cascade.relay.handover.TunedLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the running relay: those of its command line, until an operator changes them. Running
 * streams are kept whatever the new limits are.
 */
final class LiveLimits {
  private static final Logger LOG = Logger.getLogger(LiveLimits.class.getName());

  private final StreamAdmission streams;
  private final DirectMemory directMemory;
  private final Limits commandLine;
  private final BooleanSupplier handingOver;
  private volatile Duration drain;

  /**
   * @param handingOver whether another process is taking over; then limits cannot be changed
   */
  LiveLimits(
      StreamAdmission streams,
      DirectMemory directMemory,
      Duration drain,
      BooleanSupplier handingOver) {
    this.handingOver = handingOver;
    this.streams = streams;
    this.directMemory = directMemory;
    this.drain = drain;
    this.commandLine = document();
  }

  Duration drain() {
    return drain;
  }

  /** Describes the limits as a record of the relay-control contract. */
  Limits document() {
    StreamLimits now = streams.limits();
    return new Limits(
        now.mostStreams(),
        streams.memory().totalBytes(),
        now.streamBytes(),
        (int) drain.toSeconds());
  }

  /** Describes the limits as a record of the orchestrator's contract. */
  RelayLimits announced() {
    Limits now = document();
    return new RelayLimits(
        now.maxStreams(), now.memoryBytes(), now.streamBytes(), now.drainSeconds());
  }

  /** Describes the limits for a process that replaces this one. */
  TunedLimits snapshot() {
    return new TunedLimits(commandLine, document());
  }

  /**
   * Takes over the limits that the previous process was given while it ran. If a limit of this
   * command line differs from that of the previous one, the operator has changed it since, and this
   * command line's limit applies.
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
   * Changes limits; null values stay as they are.
   *
   * @throws LimitsRefused if they need more direct memory than is available and than before, or
   *     while another process is taking over
   */
  synchronized Limits change(Limits wanted) throws LimitsRefused {
    if (handingOver.getAsBoolean()) {
      throw new LimitsRefused("this relay is handing over to another process; try again");
    }
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

  /** Checks the memory; limits that need less than before are never refused. */
  private void checkMemory(long memory, int mostStreams) throws LimitsRefused {
    String shortage = directMemory.shortage(memory, mostStreams);
    long now = directMemory.needed(streams.memory().totalBytes(), streams.limits().mostStreams());
    if (shortage != null && directMemory.needed(memory, mostStreams) > now) {
      throw new LimitsRefused(shortage);
    }
  }
}
