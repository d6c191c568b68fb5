package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.contract.PlanDocument;
import io.cascade.model.planning.AchievedRate;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plan as {@code plan} prints it. */
class PlanTextTest {
  private static final long BYTES = 20_000_000;

  @Test
  void aWayThatNobodyTriedShowsWhatItCarriesAtLeast() {
    LinkEstimate lossy =
        new LinkEstimate(
                Duration.ofMillis(160), new LossEstimate(20, 4_000), new Capacity.AtLeast(3.5e6))
            .withAchieved(new AchievedRate(CongestionControl.CUBIC, 3.5e6, 20));

    assertThat(row(print(lossy), "direct with bbr"))
        .matches(" *direct with bbr +- +at most \\S+ s +at least 3\\.\\d+ Mbit/s, untried *.*")
        .doesNotContain("…");
  }

  @Test
  void aWayThatNobodyTriedAndNothingKnownLimitsIsNoFigureAtAll() {
    LinkEstimate unlimited = LinkEstimate.of(Duration.ofMillis(160), new LossEstimate(20, 4_000));

    assertThat(row(print(unlimited), "direct with bbr"))
        .matches(" *direct with bbr +- +- +untried *.*");
  }

  private static String row(String text, String name) {
    return text.lines().filter(line -> line.strip().startsWith(name)).findFirst().orElseThrow();
  }

  private static String print(LinkEstimate direct) {
    Topology topology = Topology.builder().link("s", "d", direct).build();
    RouteQuestion request = RouteQuestion.between("s", "d").bytes(BYTES).build();
    StringWriter out = new StringWriter();
    PlanText.print(
        new PlanDocument(topology, (_, _) -> false)
            .of(
                new RoutePlanner().plan(topology, request),
                "d:1",
                BYTES,
                List.of(),
                Instant.EPOCH,
                null),
        new PrintWriter(out));
    return out.toString();
  }
}
