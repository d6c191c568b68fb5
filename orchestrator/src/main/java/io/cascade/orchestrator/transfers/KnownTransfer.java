package io.cascade.orchestrator.transfers;

import io.cascade.api.orchestrator.RunningTransfer;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.api.orchestrator.TransferState;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A transfer and the last report of its sender.
 *
 * @param client address of the sender
 * @param heardAt steady time of the report
 */
record KnownTransfer(Name name, String client, TransferProgress progress, Instant heardAt) {

  /** Time without a report after which a sender counts as lost. */
  static final Duration LOST_AFTER = Duration.ofSeconds(30);

  /** Time for which an ended transfer is shown, long enough to see how it ended. */
  static final Duration SHOWN = Duration.ofMinutes(5);

  /**
   * Identity of a transfer; includes the owner, so that a caller cannot report for transfers of
   * another one.
   */
  record Name(@Nullable String owner, UUID id) {}

  TransferState state(Instant now) {
    return switch (progress.end()) {
      case ARRIVED -> TransferState.ARRIVED;
      case FAILED -> TransferState.FAILED;
      case null ->
          silence(now).compareTo(LOST_AFTER) > 0 ? TransferState.LOST : TransferState.RUNNING;
    };
  }

  /** Whether it is no longer shown. */
  boolean isPast(Instant now) {
    Duration shown = progress.end() == null ? LOST_AFTER.plus(SHOWN) : SHOWN;
    return silence(now).compareTo(shown) > 0;
  }

  private Duration silence(Instant now) {
    return Duration.between(heardAt, now);
  }

  RunningTransfer document(Instant now) {
    return RunningTransfer.builder()
        .id(name.id())
        .client(client)
        .owner(name.owner())
        .destination(progress.destination())
        .state(state(now))
        .size(progress.size())
        .bytes(progress.bytes())
        .bitsPerSecond(progress.bitsPerSecond())
        .secondsLeft(state(now) == TransferState.RUNNING ? secondsLeft() : null)
        .silentSeconds(Math.max(0, silence(now).toMillis() / 1e3))
        .build();
  }

  private @Nullable Double secondsLeft() {
    Long size = progress.size();
    if (size == null || !(progress.bitsPerSecond() > 0)) {
      return null;
    }
    double left =
        Byte.SIZE * (double) Math.max(0, size - progress.bytes()) / progress.bitsPerSecond();
    return Double.isFinite(left) ? left : null;
  }
}
