package io.cascade.coding.crypto;

import static io.cascade.coding.crypto.RaceState.BOTH;
import static io.cascade.coding.crypto.RaceState.NOBODY;
import static io.cascade.coding.crypto.RaceState.OVER_TCP;
import static io.cascade.coding.crypto.RaceState.OVER_UDP;
import static io.cascade.coding.crypto.RaceState.TCP_ALONE;
import static io.cascade.coding.crypto.RaceState.UDP_ALONE;
import static io.cascade.coding.crypto.RaceState.UDP_FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state and every event of a handshake by two ways. */
class RaceStateTest {
  @Test
  void movesAsItsTableSays() {
    // HEAD_START_OVER, UDP_AGREED, UDP_FAILED, TCP_AGREED, TCP_FAILED, CANCEL
    assertRow(UDP_FIRST, BOTH, OVER_UDP, TCP_ALONE, UDP_FIRST, UDP_FIRST, NOBODY);
    assertRow(BOTH, BOTH, OVER_UDP, TCP_ALONE, OVER_TCP, UDP_ALONE, NOBODY);
    assertRow(UDP_ALONE, UDP_ALONE, OVER_UDP, NOBODY, UDP_ALONE, UDP_ALONE, NOBODY);
    assertRow(TCP_ALONE, TCP_ALONE, TCP_ALONE, TCP_ALONE, OVER_TCP, NOBODY, NOBODY);
    assertRow(OVER_UDP, OVER_UDP, OVER_UDP, OVER_UDP, OVER_UDP, OVER_UDP, OVER_UDP);
    assertRow(OVER_TCP, OVER_TCP, OVER_TCP, OVER_TCP, OVER_TCP, OVER_TCP, OVER_TCP);
    assertRow(NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY);
  }

  private static void assertRow(RaceState from, RaceState... to) {
    assertThat(Arrays.stream(RaceState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }
}
