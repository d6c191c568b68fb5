package io.cascade.coding.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BlockSizeTest {
  @Test
  void givesTheTunnelsSizes() {
    assertThat(BlockSize.packetsFor(40, 0.1, 1)).isEqualTo(47);
    assertThat(BlockSize.packetsFor(30, 0.1, 1)).isBetween(35, 40);
    assertThat(BlockSize.packetsFor(20, 0.1, 1)).isEqualTo(24);
    assertThat(BlockSize.packetsFor(20, 0.3, 1)).isEqualTo(33);
    assertThat(BlockSize.packetsFor(40, 0.3, 1)).isEqualTo(64);
    // The tunnel's authors name 35 for both links: their estimate of 19 % was a little high.
    assertThat(BlockSize.packetsFor(25, 0.2, 1)).isEqualTo(35);
  }

  @Test
  void needsMoreWithMoreLossAndNothingWithout() {
    assertThat(BlockSize.packetsFor(40, 0, 1)).isEqualTo(40);
    int before = 40;
    for (double loss = 0.01; loss < 0.5; loss += 0.01) {
      int packets = BlockSize.packetsFor(40, loss, 1);
      assertThat(packets).isGreaterThanOrEqualTo(before);
      before = packets;
    }
  }

  @Test
  void needsMoreWhereLossesComeInBursts() {
    assertThat(BlockSize.packetsFor(40, 0.1, 3)).isGreaterThan(BlockSize.packetsFor(40, 0.1, 1));
  }

  @Test
  void isBounded() {
    assertThat(BlockSize.packetsFor(10, 0.95, 8)).isEqualTo(40);
    assertThatThrownBy(() -> BlockSize.packetsFor(0, 0.1, 1)).hasMessageContaining("block of 0");
  }
}
