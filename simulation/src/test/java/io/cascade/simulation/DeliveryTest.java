package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.PaperBlocks;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.redundancy.SelectiveRepeat;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CloseReason;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.session.SessionState;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream arrives byte for byte, whatever the link does to its packets. */
class DeliveryTest {
  private static final long SECOND = 1_000_000_000;
  private static final long BYTES = 200_000;
  private static final LinkShape TEN_MEGABIT =
      LinkShape.of(Duration.ofMillis(25), 10_000_000).withQueueBytes(125_000);

  @ParameterizedTest
  @ValueSource(
      strings = {"0%", "1%", "5%", "10%", "20%", "30%", "5% burst 3", "20% burst 3", "10% burst 8"})
  void arrivesByteForByteAtAnyLoss(String loss) {
    for (Supplier<RedundancyPolicy> policy :
        java.util.List.<Supplier<RedundancyPolicy>>of(
            () -> new SlidingDeficit(0),
            () -> new SlidingDeficit(1),
            () -> new PaperBlocks(40),
            SelectiveRepeat::new)) {
      Run run = new Run(TEN_MEGABIT, policy, Loss.parse(loss));
      run.network.runUntil(60 * SECOND);
      run.assertDelivered();
    }
  }

  @Test
  void arrivesDespiteReorderingAndJitter() {
    Run run =
        new Run(
            TEN_MEGABIT
                .withReordering(0.2, Duration.ofMillis(15))
                .withJitter(Duration.ofMillis(10)),
            () -> new SlidingDeficit(0),
            Loss.parse("5%"));
    run.network.runUntil(60 * SECOND);
    run.assertDelivered();
  }

  @Test
  void goesOnAfterAnOutageOfAMinute() {
    Run run = new Run(TEN_MEGABIT, () -> new SlidingDeficit(0), Loss.parse("1%"));
    run.network.runUntil(SECOND / 2);
    run.network.forward().reshape(SECOND / 2, TEN_MEGABIT.withDown(true));
    run.network.backward().reshape(SECOND / 2, TEN_MEGABIT.withDown(true));
    run.network.runUntil(60 * SECOND);
    assertThat(run.far.received()).isLessThan(BYTES);
    run.network.forward().reshape(60 * SECOND, TEN_MEGABIT);
    run.network.backward().reshape(60 * SECOND, TEN_MEGABIT);
    run.network.runUntil(120 * SECOND);
    run.assertDelivered();
  }

  private static final class Run {
    private final CodedEndpoint near;
    private final CodedEndpoint far;
    private final VirtualNetwork network;

    Run(LinkShape shape, Supplier<RedundancyPolicy> policy, Loss loss) {
      SessionSettings settings =
          new SessionSettings(1, 1, 100, 4_096, SessionSettings.USUAL_SILENCE_NANOS, 1);
      near = end(settings, policy.get());
      far = end(settings, policy.get());
      network = new VirtualNetwork(shape, shape, 7);
      network.add(near, far, loss, 0);
    }

    private static CodedEndpoint end(SessionSettings settings, RedundancyPolicy policy) {
      return new CodedEndpoint(
          new CodedSession(settings, new FixedRate(700, 100), policy, 0), settings, BYTES);
    }

    void assertDelivered() {
      assertThat(far.received()).isEqualTo(BYTES);
      assertThat(near.received()).isEqualTo(BYTES);
      assertThat(near.session().reason()).isEqualTo(CloseReason.COMPLETED);
      assertThat(far.session().reason()).isEqualTo(CloseReason.COMPLETED);
      assertThat(near.session().state()).isEqualTo(SessionState.CLOSED);
      assertThat(far.session().state()).isEqualTo(SessionState.CLOSED);
    }
  }
}
