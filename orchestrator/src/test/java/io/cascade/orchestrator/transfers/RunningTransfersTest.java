package io.cascade.orchestrator.transfers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.RunningTransfer;
import io.cascade.api.orchestrator.TransferEnd;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.api.orchestrator.TransferState;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Time that tests move: what falls silent is lost, what is over is shown for some minutes. */
class RunningTransfersTest {
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final RunningTransfers transfers = new RunningTransfers(time.timekeeper());

  private static KnownTransfer.Name by(@Nullable String owner) {
    return new KnownTransfer.Name(owner, UUID.randomUUID());
  }

  private void report(
      KnownTransfer.Name name, @Nullable Long size, long bytes, @Nullable TransferEnd end) {
    transfers.report(
        name,
        "192.0.2.7",
        TransferProgress.builder()
            .destination("files.example.org:7420")
            .size(size)
            .bytes(bytes)
            .bitsPerSecond(8_000.0)
            .end(end)
            .build());
  }

  private List<RunningTransfer> all() {
    return transfers.list(_ -> true);
  }

  @Test
  void aRunningOneHasItsTimeLeftWhereItsSizeIsKnown() {
    report(by(null), 5_000L, 1_000, null);
    report(by(null), null, 1_000, null);

    assertThat(all()).extracting(RunningTransfer::secondsLeft).containsExactly(null, 4.0);
    assertThat(all()).extracting(RunningTransfer::state).containsOnly(TransferState.RUNNING);
  }

  @Test
  void aSilentOneIsLostThenForgottenAndComesBackWithItsNextReport() {
    KnownTransfer.Name name = by("client/alice");
    report(name, 5_000L, 1_000, null);
    time.pass(KnownTransfer.LOST_AFTER);
    assertThat(all()).extracting(RunningTransfer::state).containsExactly(TransferState.RUNNING);

    time.pass(MOMENT);
    assertThat(all()).extracting(RunningTransfer::state).containsExactly(TransferState.LOST);
    assertThat(all()).extracting(RunningTransfer::secondsLeft).containsOnlyNulls();

    report(name, 5_000L, 2_000, null);
    assertThat(all()).extracting(RunningTransfer::state).containsExactly(TransferState.RUNNING);

    time.pass(KnownTransfer.LOST_AFTER.plus(KnownTransfer.SHOWN).plus(MOMENT));
    assertThat(all()).isEmpty();
  }

  @Test
  void howItEndedIsShownForSomeMinutes() {
    KnownTransfer.Name name = by(null);
    report(name, 5_000L, 1_000, null);
    report(name, 5_000L, 5_000, TransferEnd.ARRIVED);
    time.pass(KnownTransfer.SHOWN);
    assertThat(all()).extracting(RunningTransfer::state).containsExactly(TransferState.ARRIVED);

    time.pass(MOMENT);
    assertThat(all()).isEmpty();
  }

  @Test
  void aCallerSpeaksOfItsOwnTransfersAlone() {
    UUID id = UUID.randomUUID();
    report(new KnownTransfer.Name("client/alice", id), 5_000L, 1_000, null);
    report(new KnownTransfer.Name("client/bob", id), 5_000L, 0, TransferEnd.FAILED);

    assertThat(transfers.list("client/alice"::equals))
        .extracting(RunningTransfer::state)
        .containsExactly(TransferState.RUNNING);
    assertThat(all()).hasSize(2);
  }

  @Test
  void oneThatIsOverMakesRoomAndARunningOneDoesNot() {
    KnownTransfer.Name first = by("client/alice");
    report(first, null, 0, null);
    for (int i = 1; i < RunningTransfers.MOST_OF_ONE; i++) {
      report(by("client/alice"), null, 0, null);
    }
    assertThatThrownBy(() -> report(by("client/alice"), null, 0, null))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("100 transfers run");
    report(by("client/bob"), null, 0, null);

    report(first, null, 0, TransferEnd.FAILED);
    report(by("client/alice"), null, 0, null);

    assertThat(transfers.list("client/alice"::equals))
        .hasSize(RunningTransfers.MOST_OF_ONE)
        .extracting(RunningTransfer::id)
        .doesNotContain(first.id());
  }

  @Test
  void allTogetherAreBounded() {
    for (int i = 0; i < RunningTransfers.MOST; i++) {
      report(by(null), null, 0, null);
    }

    assertThatThrownBy(() -> report(by("client/alice"), null, 0, null))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("1000 transfers run");
    time.pass(KnownTransfer.LOST_AFTER.plus(MOMENT));
    report(by("client/alice"), null, 0, null);

    assertThat(all()).hasSize(RunningTransfers.MOST);
  }
}
