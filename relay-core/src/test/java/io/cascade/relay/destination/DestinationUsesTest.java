package io.cascade.relay.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.DestinationUse;
import java.util.List;
import org.junit.jupiter.api.Test;

class DestinationUsesTest {
  private final DestinationUses uses = new DestinationUses();

  @Test
  void whatStreamsCarriedAddsUpAndTheHighestRateCounts() {
    uses.began("db:5432");
    uses.began("db:5432");
    uses.carried("db:5432", 10, 5e6);
    uses.carried("db:5432", 20, 4e6);
    uses.began("web:443");

    assertThat(uses.take())
        .containsExactly(
            DestinationUse.builder()
                .destination("db:5432")
                .streams(2L)
                .bytes(30L)
                .bitsPerSecond(5e6)
                .build(),
            DestinationUse.builder().destination("web:443").streams(1L).bytes(0L).build());
  }

  @Test
  void itIsToldOnceUnlessNobodyHeardIt() {
    uses.began("db:5432");
    List<DestinationUse> taken = uses.take();
    assertThat(uses.take()).isEmpty();

    uses.began("db:5432");
    uses.untold(taken);

    assertThat(uses.take())
        .containsExactly(
            DestinationUse.builder().destination("db:5432").streams(2L).bytes(0L).build());
  }

  @Test
  void onlySoManyAreHeldAndTheOldestGo() {
    for (int i = 0; i <= DestinationUses.MOST; i++) {
      uses.began("h" + i + ":1");
    }

    assertThat(uses.take())
        .hasSize(DestinationUses.MOST)
        .noneMatch(use -> use.destination().equals("h0:1"));
  }
}
