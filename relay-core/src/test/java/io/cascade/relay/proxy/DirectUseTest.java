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

    assertThat(uses.take()).containsExactly(new DestinationUse("db:5432", 0L, 5 * MIB, 8.0 * MIB));
  }

  @Test
  void whatWasSentIsARateOnceTheKernelsBufferIsFull() {
    use.carried(5 * MIB, 0, true);
    assertThat(uses.take()).containsExactly(new DestinationUse("db:5432", 0L, 5 * MIB, null));

    use.carried(15 * MIB, 0, true);
    assertThat(uses.take())
        .containsExactly(new DestinationUse("db:5432", 0L, 10 * MIB, 16.0 * MIB));
  }

  @Test
  void littleAndTheRestOfAStreamAreNoRate() {
    use.carried(0, MIB - 1, true);
    use.carried(0, 20 * MIB, false);

    assertThat(uses.take()).containsExactly(new DestinationUse("db:5432", 0L, 20 * MIB, null));
  }

  @Test
  void whatCarriedNothingIsNotTold() {
    use.carried(0, 0, true);

    assertThat(uses.take()).isEmpty();
  }
}
