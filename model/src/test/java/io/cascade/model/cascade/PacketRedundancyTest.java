package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class PacketRedundancyTest {

  /** The TCP/NC tunnel's (40, 47) at 10 %. */
  @Test
  void sendsFortySevenPacketsForFortyAtTenPercent() {
    assertThat(new PacketRedundancy(0.1, 0.9).packetsFor(40)).isEqualTo(47);
  }

  /** The tunnel's (25, 35) is the rule's answer at 20 %; at 19 %, two hops of 10 %, 34 suffice. */
  @Test
  void sendsThirtyFivePacketsForTwentyFiveAtTwentyPercent() {
    assertThat(new PacketRedundancy(0.19, 0.9).packetsFor(25)).isEqualTo(34);
    assertThat(new PacketRedundancy(0.2, 0.9).packetsFor(25)).isEqualTo(35);
  }

  @Test
  void addsNothingWithoutLoss() {
    assertThat(new PacketRedundancy(0, 0.999).packetsFor(10_000)).isEqualTo(10_000);
  }

  @Test
  void neverSendsFewerWithMoreLossOrMoreCertainty() {
    for (double loss = 0; loss < 0.9; loss += 0.05) {
      int packets = new PacketRedundancy(loss, 0.9).packetsFor(30);
      assertThat(new PacketRedundancy(loss + 0.05, 0.9).packetsFor(30))
          .isGreaterThanOrEqualTo(packets);
      assertThat(new PacketRedundancy(loss, 0.95).packetsFor(30)).isGreaterThanOrEqualTo(packets);
    }
  }

  @Test
  void refusesWhatNoRedundancyFixes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PacketRedundancy(1, 0.9))
        .withMessage("lossProbability: 1.0 (expected: 0 or more and below 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PacketRedundancy(0.1, 1))
        .withMessage("recovery: 1.0 (expected: between 0 and 1, both excluded)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PacketRedundancy(0.1, 0.9).packetsFor(0))
        .withMessage("packets: 0 (expected: 1..10000)");
  }
}
