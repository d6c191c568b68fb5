package io.cascade.orchestrator.splitters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Splitter;
import io.cascade.api.orchestrator.SplitterOperations;
import io.cascade.api.orchestrator.SplitterPolicy;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Time that tests move: what is silent is shown as lost, then forgotten. */
class SplitterBookTest {
  private static final Duration LOST_AFTER = Duration.ofSeconds(7);

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final SplitterBook book =
      new SplitterBook(new HeartbeatIntervals(Duration.ofSeconds(2)), time.timekeeper());
  private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);

  private void report(String name, RelaySigner by) {
    SplitterReport unsigned =
        SplitterReport.builder()
            .instance(UUID.randomUUID())
            .version("1")
            .publicKey("")
            .sequence(0L)
            .signature("")
            .upSeconds(1.0)
            .policy(
                SplitterPolicy.builder()
                    .mode("def")
                    .signalling("none")
                    .selection("all")
                    .splitAfterBytes(0L)
                    .build())
            .connections(0L)
            .refusedConnections(0L)
            .operations(
                SplitterOperations.builder().deliver(0L).duplicate(0L).delay(0L).drop(0L).build())
            .pipes(List.of())
            .build();
    book.report(name, by.sign(name, unsigned));
  }

  @Test
  void silenceMakesItLostAndEndsItsEntry() {
    report("edge", signer);
    time.pass(LOST_AFTER);
    assertThat(book.all()).extracting(Splitter::lost).containsExactly(false);

    time.pass(Duration.ofMillis(1));
    assertThat(book.all()).extracting(Splitter::lost).containsExactly(true);
    assertThat(book.all().getFirst().silentSeconds()).isEqualTo(7.001);

    time.pass(SplitterBook.LOST_SHOWN);
    assertThat(book.all()).isEmpty();
  }

  @Test
  void theTimeOfDayChangesNothing() {
    report("edge", signer);

    time.step(Duration.ofDays(1));

    assertThat(book.all()).extracting(Splitter::lost).containsExactly(false);
  }

  @Test
  void aNameIsFreeOnceItsSplitterHasExpired() {
    RelaySigner other = new RelaySigner(RelayKey.generate(), 1, 0);
    report("edge", signer);
    time.pass(LOST_AFTER.plus(SplitterBook.LOST_SHOWN));
    assertThatThrownBy(() -> report("edge", other)).isInstanceOf(Refusal.class);

    time.pass(Duration.ofMillis(1));
    report("edge", other);

    assertThat(book.all().getFirst().report().publicKey()).isEqualTo(other.key().publicKey());
  }

  @Test
  void theTableIsBoundedAndTheExpiredMakeRoom() {
    for (int i = 0; i < SplitterBook.MOST_SPLITTERS; i++) {
      report("s" + i, signer);
    }
    report("s0", signer);
    assertThatThrownBy(() -> report("late", signer))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is removed once");

    time.pass(LOST_AFTER.plus(SplitterBook.LOST_SHOWN).plusMillis(1));
    report("late", signer);

    assertThat(book.all()).extracting(Splitter::name).containsExactly("late");
  }
}
