package io.cascade.client.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.estimate.PathInput;
import io.cascade.model.estimate.SenderModel;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people may write on the command line, and what they are told when it makes no sense. */
class WrittenFormsTest {

  @ParameterizedTest
  @CsvSource({"0.1%, 0.001", "0.001, 0.001", "1e-3, 0.001", ".5 %, 0.005", "0, 0", "100%, 1"})
  void lossIsAShare(String text, double probability) {
    Interval parsed = LossText.parse(text).probability();
    assertThat(parsed.likely()).isCloseTo(probability, within(1e-15));
    assertThat(parsed.low()).isEqualTo(parsed.high());
  }

  @ParameterizedTest
  @ValueSource(strings = {"31/10000", "31 / 10000", "31of10000", "31 of 10000"})
  void lossIsACountWithBounds(String text) {
    assertThat(LossText.parse(text).probability())
        .isEqualTo(new LossEstimate(31, 10_000).interval(LossEstimate.CONFIDENCE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1%", "101%", "2", "5/4", "1/0", "NaN", "some", "1%%", "1/2/3", "1e9999"})
  void whatIsNoLossIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LossText.parse(text))
        .withMessage("'" + text + "' (expected: a loss such as 0.1%, 0.001 or, counted, 31/10000)");
  }

  @Test
  void hopsSayAsMuchAsIsKnown() {
    List<PathInput> hops =
        HopList.parse("32ms/0.05%/32Mbit/cubic, 40ms/5of10000,8ms/0//bbr/8948,1s/1%/1Gbit/reno")
            .hops();

    assertThat(hops).hasSize(4);
    assertThat(hops.get(0).capacityBitsPerSecond()).hasValue(32e6);
    assertThat(hops.get(0).model()).contains(SenderModel.CUBIC);
    assertThat(hops.get(1).model()).isEmpty();
    assertThat(hops.get(1).lossProbability().high()).isEqualTo(new LossEstimate(5, 10_000).upper());
    assertThat(hops.get(2).capacityBitsPerSecond()).isEmpty();
    assertThat(hops.get(2).model()).contains(SenderModel.BBR);
    assertThat(hops.get(2).mssBytes()).hasValue(8948);
    assertThat(hops.get(3).model()).contains(SenderModel.RENO);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "32ms                   | hop 1: '32ms' (expected: RTT/LOSS[/CAPACITY[/CONTROL[/MSS]]]",
        "32ms/1%,               | hop 2: ''",
        "32/1%                  | hop 1: '32' (expected: a time such as 64ms",
        "32ms/1%,32ms/lots      | hop 2: 'lots' (expected: a loss",
        "32ms/1%/fast           | hop 1: 'fast' (expected: a rate",
        "32ms/1%/1Mbit/vegas    | hop 1: 'vegas' (expected: one of mathis, reno, pftk, cubic, bbr, bbr3)",
        "32ms/1%/1Mbit/bbr/big  | hop 1: 'big' (expected: an MSS",
        "1ms/1%/1Mbit/bbr/1/1   | hop 1: '1ms/1%/1Mbit/bbr/1/1' (expected: RTT/LOSS",
      })
  void theHopThatMakesNoSenseIsNamed(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HopList.parse(text))
        .withMessageContaining(message);
  }

  @Test
  void moreThanSixteenHopsAreRefused() {
    String hops = "1ms/0,".repeat(16) + "1ms/0";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HopList.parse(hops))
        .withMessage("17 hops (expected: at most 16)");
  }

  @Test
  void relaysPassOnInThreeWays() {
    assertThat(Forwarding.parse("Pipelined").discipline()).isEqualTo(RelayDiscipline.CUT_THROUGH);
    assertThat(Forwarding.parse("chunked:1MiB").discipline())
        .isEqualTo(new RelayDiscipline.Chunked(1 << 20));
    assertThat(Forwarding.parse("store").discipline())
        .isEqualTo(new RelayDiscipline.StoreAndForward());
    for (String wrong : List.of("chunked", "chunked:0", "later")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Forwarding.parse(wrong))
          .withMessageContaining("expected: pipelined, chunked:SIZE");
    }
  }
}
