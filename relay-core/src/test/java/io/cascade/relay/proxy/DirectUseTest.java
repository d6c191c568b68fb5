package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.relay.destination.DestinationUses;
import org.junit.jupiter.api.Test;

/** What one stream shows of its destination. */
class DirectUseTest {
  private static final long MIB = 1 << 20;

  private final DestinationUses uses = new DestinationUses();
  private final DirectUse use = new DirectUse("db:5432", uses, null);

  @Test
  void whatCameInAWholePeriodIsARate() {
    use.carried(0, 5 * MIB, true);

    assertThat(uses.take())
        .containsExactly(
            DestinationUse.builder()
                .destination("db:5432")
                .streams(0L)
                .bytes(5 * MIB)
                .bitsPerSecond(8.0 * MIB)
                .build());
  }

  @Test
  void whatWasSentIsARateOnceTheKernelsBufferIsFull() {
    use.carried(5 * MIB, 0, true);
    assertThat(uses.take())
        .containsExactly(
            DestinationUse.builder().destination("db:5432").streams(0L).bytes(5 * MIB).build());

    use.carried(15 * MIB, 0, true);
    assertThat(uses.take())
        .containsExactly(
            DestinationUse.builder()
                .destination("db:5432")
                .streams(0L)
                .bytes(10 * MIB)
                .bitsPerSecond(16.0 * MIB)
                .build());
  }

  @Test
  void littleAndTheRestOfAStreamAreNoRate() {
    use.carried(0, MIB - 1, true);
    use.carried(0, 20 * MIB, false);

    assertThat(uses.take())
        .containsExactly(
            DestinationUse.builder().destination("db:5432").streams(0L).bytes(20 * MIB).build());
  }

  @Test
  void whatCarriedNothingIsNotTold() {
    use.carried(0, 0, true);

    assertThat(uses.take()).isEmpty();
  }
}
