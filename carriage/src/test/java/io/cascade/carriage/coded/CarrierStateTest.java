package io.cascade.carriage.coded;

import static io.cascade.carriage.coded.CarrierState.CLOSED;
import static io.cascade.carriage.coded.CarrierState.COMPARING;
import static io.cascade.carriage.coded.CarrierState.PROBING;
import static io.cascade.carriage.coded.CarrierState.TCP;
import static io.cascade.carriage.coded.CarrierState.TRYING_UDP;
import static io.cascade.carriage.coded.CarrierState.UDP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state and every event of what carries a session. */
class CarrierStateTest {
  @Test
  void movesAsItsTableSays() {
    // UDP_SILENT, UDP_ANSWERED, TCP_PROVED, TCP_LOST, COMPARISON_DUE, TCP_BETTER, TCP_NO_BETTER,
    // RETRY_DUE, RETRY_FAILED, CLOSE
    assertRow(UDP, PROBING, UDP, UDP, UDP, COMPARING, UDP, UDP, UDP, UDP, CLOSED);
    assertRow(
        COMPARING, PROBING, COMPARING, COMPARING, UDP, COMPARING, TCP, UDP, COMPARING, COMPARING,
        CLOSED);
    assertRow(
        PROBING, PROBING, UDP, TCP, PROBING, PROBING, PROBING, PROBING, PROBING, PROBING, CLOSED);
    assertRow(TCP, TCP, TCP, TCP, PROBING, TCP, TCP, TCP, TRYING_UDP, TCP, CLOSED);
    assertRow(
        TRYING_UDP,
        TRYING_UDP,
        UDP,
        TRYING_UDP,
        PROBING,
        TRYING_UDP,
        TRYING_UDP,
        TRYING_UDP,
        TRYING_UDP,
        TCP,
        CLOSED);
    assertRow(
        CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED);
  }

  private static void assertRow(CarrierState from, CarrierState... to) {
    assertThat(Arrays.stream(CarrierState.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }
}
