package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cascade.api.orchestrator.HopAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HopAddressesTest {
  @Test
  void everyAddressIsReadAsItWasWritten() {
    List<HopAddress> all = new ArrayList<>();
    for (int segment = 0; segment < HopAddresses.MOST_SEGMENTS; segment++) {
      for (int pipe = 0; pipe < HopAddresses.MOST_PIPES; pipe++) {
        for (int hop = 0; hop < HopAddresses.MOST_HOPS; hop++) {
          all.add(new HopAddress(segment, pipe, hop));
        }
      }
    }

    assertThat(all)
        .allSatisfy(address ->
            assertThat(HopAddresses.parse(HopAddresses.text(address))).isEqualTo(address));
    assertThat(all.stream().map(HopAddresses::text)).doesNotHaveDuplicates();
    assertThat(all).isSortedAccordingTo(HopAddresses.ORDER);
    assertThat(HopAddresses.text(new HopAddress(0, 1, 12))).isEqualTo("0.1.12");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "0", "0.0", "0.0.0.0", "0.0.-1", "00.0.0", "16.0.0", "0.64.0", "0.0.17", "a.0.0",
        "0.0.0 "
      })
  void whatIsNoAddressIsRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HopAddresses.parse(text))
        .withMessage("hop address: " + text + " (expected: SEGMENT.PIPE.HOP, at most 15.63.16)");
  }
}
