package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatagramSizesTest {
  @Test
  void theLongestIsDialledTwiceThenShorterOnesAndThenTheLongestAgain() {
    DatagramSizes sizes = new DatagramSizes(1_444);
    int[] dialled = new int[6];
    for (int i = 0; i < dialled.length; i++) {
      dialled[i] = sizes.size();
      sizes.failed();
    }
    assertThat(dialled).containsExactly(1_444, 1_444, 1_372, 1_324, 1_232, 1_444);
  }

  @Test
  void aRoundIsOverWhenAllWereDialled() {
    DatagramSizes sizes = new DatagramSizes(1_444);
    int[] rounds = new int[11];
    for (int i = 0; i < rounds.length; i++) {
      rounds[i] = sizes.rounds();
      sizes.failed();
    }
    assertThat(rounds).containsExactly(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2);
    sizes.agreed(1_444);
    assertThat(sizes.rounds()).isZero();
  }

  @Test
  void whatWasAgreedOnIsDialledFirst() {
    DatagramSizes sizes = new DatagramSizes(1_444);
    sizes.agreed(1_324);
    assertThat(sizes.size()).isEqualTo(1_324);
    sizes.failed();
    assertThat(sizes.size()).isEqualTo(1_324);
    sizes.failed();
    assertThat(sizes.size()).isEqualTo(1_232);
  }

  @Test
  void longerOnesAreLookedForInTurn() {
    DatagramSizes sizes = new DatagramSizes(1_444);
    assertThat(sizes.mayGrow()).isFalse();
    sizes.agreed(1_324);
    assertThat(sizes.mayGrow()).isTrue();
    assertThat(new int[] {sizes.longer(), sizes.longer(), sizes.longer()})
        .containsExactly(1_444, 1_372, 1_444);
  }

  @Test
  void aGatewayOfShortPacketsHasOneLength() {
    DatagramSizes sizes = new DatagramSizes(1_232);
    sizes.failed();
    sizes.failed();
    assertThat(sizes.size()).isEqualTo(1_232);
    assertThat(sizes.mayGrow()).isFalse();
  }
}
