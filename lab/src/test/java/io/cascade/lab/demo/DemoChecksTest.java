package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.lab.demo.LoopbackReport.RelayTraffic;
import io.cascade.lab.demo.LoopbackReport.TransferReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoChecksTest {
  private static final long BUDGET = 4L << 20;
  private static final RelayTraffic WHOLE =
      new RelayTraffic("r1", "COMPLETED", 110, 110, 9, 9, BUDGET);

  @Test
  void allHoldAfterATransferThatLostNothing() {
    assertThat(failed(transfer(100, "a", "a"), WHOLE, WHOLE)).isEmpty();
  }

  @Test
  void digestsDiffer() {
    assertThat(failed(transfer(100, "a", "b"), WHOLE, WHOLE))
        .containsExactly("both digests are the same");
  }

  @Test
  void fileIsShort() {
    assertThat(failed(transfer(99, "a", "a"), WHOLE, WHOLE))
        .containsExactly("the file that arrived has 100 bytes");
  }

  @Test
  void relayDidNotSeeTheEnd() {
    RelayTraffic reset = new RelayTraffic("r2", "ABORTED", 110, 110, 9, 9, 1);

    assertThat(failed(transfer(100, "a", "a"), WHOLE, reset))
        .containsExactly("every relay saw the stream to its end");
    assertThat(failed(transfer(100, "a", "a"), WHOLE))
        .containsExactly("every relay saw the stream to its end");
  }

  @Test
  void relayLostBytesInEitherDirection() {
    for (RelayTraffic lossy :
        List.of(
            new RelayTraffic("r2", "COMPLETED", 109, 110, 9, 9, 1),
            new RelayTraffic("r2", "COMPLETED", 110, 109, 9, 9, 1),
            new RelayTraffic("r2", "COMPLETED", 110, 110, 9, 8, 1))) {
      assertThat(failed(transfer(100, "a", "a"), WHOLE, lossy))
          .singleElement()
          .asString()
          .contains("took in and gave out the 110 bytes");
    }
  }

  @Test
  void relayHeldMoreThanItMay() {
    RelayTraffic greedy = new RelayTraffic("r2", "COMPLETED", 110, 110, 9, 9, BUDGET + 1);

    assertThat(failed(transfer(100, "a", "a"), WHOLE, greedy))
        .containsExactly("no relay ever held more than 4.00 MiB of the stream");
  }

  private static List<String> failed(TransferReport transfer, RelayTraffic... traffic) {
    return DemoChecks.of(transfer, List.of(traffic), 2, BUDGET).stream()
        .filter(check -> !check.held())
        .map(Check::what)
        .toList();
  }

  private static TransferReport transfer(long received, String sent, String arrived) {
    return new TransferReport(100, 110, received, 1, 800, sent, arrived, 0);
  }
}
