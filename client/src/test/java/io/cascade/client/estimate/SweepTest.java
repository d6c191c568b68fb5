package io.cascade.client.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepTest {

  @Test
  void rangesMultiplyOrAddAndListsNameTheirValues() {
    Sweep sweep = Sweep.parse("rtt=8ms..512ms:x2, loss=0.001%,0.01%,0.1%,1%,relays=0..3:+1");

    assertThat(sweep.dimensions().keySet())
        .containsExactly(Dimension.RTT, Dimension.LOSS, Dimension.RELAYS);
    assertThat(sweep.dimensions().get(Dimension.RTT))
        .extracting(value -> Math.round(value.likely() * 1e6) / 1e3)
        .containsExactly(8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0);
    assertThat(sweep.dimensions().get(Dimension.LOSS)).hasSize(4);
    assertThat(sweep.dimensions().get(Dimension.RELAYS))
        .extracting(Interval::likely)
        .containsExactly(0.0, 1.0, 2.0, 3.0);
    assertThat(sweep.scenarios(new Scenario(Map.of()))).hasSize(7 * 4 * 4);
  }

  @Test
  void theEndIsIncludedWhereTheStepsMeetIt() {
    assertThat(values("capacity=1Mbit..10Mbit:+3Mbit")).containsExactly(1e6, 4e6, 7e6, 10e6);
    assertThat(values("capacity=1Mbit..9Mbit:x3")).containsExactly(1e6, 3e6, 9e6);
    assertThat(values("capacity=1Mbit..8Mbit:x3")).containsExactly(1e6, 3e6);
    assertThat(values("bytes=1kB,1MB..4MB:x2")).containsExactly(1e3, 1e6, 2e6, 4e6);
    assertThat(values("loss=0.1%..0.3%:+0.1%")).hasSize(3);
  }

  private static List<Double> values(String text) {
    return Sweep.parse(text).dimensions().values().stream()
        .flatMap(List::stream)
        .map(Interval::likely)
        .toList();
  }

  @Test
  void theFirstDimensionVariesSlowest() {
    List<Scenario> scenarios =
        Sweep.parse("relays=1,2,bytes=1kB,2kB").scenarios(new Scenario(Map.of()));

    assertThat(scenarios)
        .extracting(one -> one.value(Dimension.RELAYS).orElseThrow().likely())
        .containsExactly(1.0, 1.0, 2.0, 2.0);
    assertThat(scenarios)
        .extracting(one -> one.value(Dimension.BYTES).orElseThrow().likely())
        .containsExactly(1e3, 2e3, 1e3, 2e3);
  }

  @Test
  void countedLossKeepsItsBounds() {
    Interval loss =
        Sweep.parse("loss=31/10000")
            .scenarios(new Scenario(Map.of()))
            .getFirst()
            .value(Dimension.LOSS)
            .orElseThrow();
    assertThat(loss.low()).isLessThan(loss.high());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "8ms..512ms:x2        | '8ms..512ms:x2' (expected: DIMENSION=VALUES",
        "speed=1              | 'speed' (expected one of: rtt, loss, capacity, bytes, relays)",
        "rtt=                 | rtt: '' (expected: a time",
        "rtt=8ms,             | rtt: '' (expected: a time",
        "rtt=8                | rtt: '8' (expected: a time such as 64ms",
        "rtt=8ms..512ms       | rtt: '8ms..512ms': a range without a step (expected: :x2 or :+STEP",
        "rtt=8ms..4ms:x2      | rtt: '8ms..4ms:x2' (expected: the smaller end first)",
        "rtt=8ms..9ms:x1      | rtt: '8ms..9ms:x1' (expected: a factor above 1",
        "rtt=8ms..9ms:xtwo    | rtt: ':xtwo' (expected: a factor",
        "loss=0..1%:x2        | loss: '0..1%:x2' (expected: a factor above 1 from above 0",
        "relays=0..2:+0       | relays: '0..2:+0' (expected: a factor above 1 from above 0, or a step above 0)",
        "relays=16            | relays: '16' (expected: a number of relays, 0..15)",
        "rtt=1ms,rtt=2ms      | rtt: given twice",
        "loss=0..1:+0.0000001 | loss: '0..1:+0.0000001': more than 10000 values",
        "bytes=1kB..1MB:+100B,relays=0..15:+1 | 159856 points (expected: at most 10000)",
      })
  void whatMakesNoSenseIsNamedWithItsDimension(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sweep.parse(text))
        .withMessageContaining(message);
  }
}
