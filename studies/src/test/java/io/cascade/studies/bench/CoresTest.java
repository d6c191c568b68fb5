package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoresTest {
  @Test
  void proxiesGetTwiceAsManyUpToWhatTheEndsHave() {
    Cores cores = machineWith(12);

    assertThat(cores.counts()).containsExactly(1, 2, 4);
    assertThat(cores.division(1)).isEqualTo(new Processors(List.of(0, 1, 2, 3, 4, 5), List.of(11)));
    assertThat(cores.division(4))
        .isEqualTo(new Processors(List.of(0, 1, 2, 3, 4, 5), List.of(8, 9, 10, 11)));
    assertThat(cores.described()).doesNotContain("shares");
    assertThat(machineWith(4).counts()).containsExactly(1, 2);
    assertThat(machineWith(4).described()).doesNotContain("shares");
  }

  @Test
  void whereThereIsButOneBesideTheEndsTheSecondIsSharedAndTheReportSaysSo() {
    Cores two = machineWith(2);

    assertThat(two.counts()).containsExactly(1, 2);
    assertThat(two.division(1)).isEqualTo(new Processors(List.of(0), List.of(1)));
    assertThat(two.division(2)).isEqualTo(new Processors(List.of(0), List.of(0, 1)));
    assertThat(two.described()).contains("shares one of them with the ends", "four processors");
    assertThat(machineWith(3).described()).contains("shares one of them with the ends");
  }

  @Test
  void oneProcessorIsNotEnough() {
    assertThat(machineWith(0).suffice()).isFalse(); // As the division of a single one is written.
    assertThat(machineWith(2).suffice()).isTrue();
  }

  @Test
  void theRatioIsToTheSameProxyWithOneProcessor() {
    Cores cores = machineWith(4);
    Scaling scaling =
        new Scaling(
            cores,
            new Trial.Bulk(8),
            List.of(Metric.THROUGHPUT),
            List.of(haproxy(cores, 1), haproxy(cores, 2)));
    String title = scaling.comparison().title(scaling.trial());
    RoundValues results = new RoundValues();
    for (double round = 1; round <= 3; round++) {
      results.add(title, "haproxy on 1", Map.of(Metric.THROUGHPUT, round));
      results.add(title, "haproxy on 2", Map.of(Metric.THROUGHPUT, 1.5 * round));
    }

    assertThat(scaling.table(results).figures().cell("haproxy on 1", Metric.THROUGHPUT))
        .hasValueSatisfying(cell -> assertThat(cell.ratio()).isNull());
    assertThat(scaling.table(results).figures().cell("haproxy on 2", Metric.THROUGHPUT))
        .hasValueSatisfying(cell -> {
          assertThat(cell.median()).isEqualTo(3);
          assertThat(cell.ratio()).isEqualTo(1.5);
        });
  }

  private static OnProcessors haproxy(Cores cores, int count) {
    return new OnProcessors(new HaProxy(HaProxy.Way.DEFAULT, count), cores.division(count));
  }

  private static Cores machineWith(int processors) {
    return new Cores(IntStream.range(0, processors).boxed().toList());
  }
}
