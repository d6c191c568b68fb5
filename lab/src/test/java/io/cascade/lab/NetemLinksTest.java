package io.cascade.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links that the kernel carries: what is asked of it, and that it does so where it can. */
@Tag("slow")
class NetemLinksTest {
  private static final LinkShape SHAPE = LinkShape.of(Duration.ofMillis(10), 30_000_000);

  @Test
  void asksForQueueAndRateOnOneDeviceAndForDelayAndLossOnTheNext() {
    LinkShape shape = SHAPE.withQueueBytes(256_000).withLoss(new Loss.Bernoulli(0.001));

    // 30 Mbit/s of packets are 30.28 of frames, which have 14 bytes more.
    assertThat(NetemLinks.commands("add", "in", "far", shape))
        .containsExactly(
            "qdisc add dev in root handle 1: tbf rate 30280000bit burst 3785 limit 259785",
            "qdisc add dev far root handle 1: netem limit 1000000 delay 10000us loss random"
                + " 0.100000%");
  }

  @Test
  void asksForBurstsAndOutagesInNetemsWords() {
    Loss bursts = new Loss.GilbertElliott(0.01, 0.3, 1, 0);

    assertThat(NetemLinks.commands("change", "in", "far", SHAPE.withLoss(bursts)).getLast())
        .endsWith("delay 10000us loss gemodel 1.000000% 30.000000% 100.000000% 0.000000%");
    assertThat(NetemLinks.commands("change", "in", "far", SHAPE.withDown(true)).getLast())
        .endsWith("loss random 100%");
  }

  @Test
  void refusesWhatNetemWouldDoDifferently() {
    assertThatThrownBy(
            () -> NetemLinks.commands("add", "in", "far", SHAPE.withJitter(Duration.ofMillis(1))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("jitter");
    assertThatThrownBy(() ->
            NetemLinks.commands(
                "add", "in", "far", SHAPE.withReordering(0.1, Duration.ofMillis(1))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("reorder");
  }

  @Test
  void countsPacketsWithoutTheEthernetHeader() {
    DirectionStatistics counted =
        NetemLinks.counted(
            Json.lenient()
                .readTree(
                    "{'kind':'tbf','bytes':15140,'packets':10,'drops':3,'backlog':3028,'qlen':2}"
                        .replace('\'', '"')),
            Json.lenient()
                .readTree(
                    "{'kind':'netem','bytes':12112,'packets':8,'drops':1}".replace('\'', '"')));

    assertThat(counted)
        .isEqualTo(new DirectionStatistics(15, 18_028, 8, 12_000, 1, 3, 0, 0, 0, 0, 3_028));
  }

  @Test
  void delaysAndLosesAsTheEmulatorDoes() throws Exception {
    assumeTrue(LabRequirements.userId() == 0, "SKIPPED: needs root");
    Topology topology =
        new Topology(
            "netem-" + ProcessHandle.current().pid(),
            1,
            List.of(new SiteSpec("a", "reno", List.of()), new SiteSpec("b", "reno", List.of())),
            List.of(LinkSpec.symmetric("a", "b", SHAPE.withLoss(new Loss.Bernoulli(0.05)))),
            null,
            List.of());
    try (Lab lab = Lab.up(topology, LinkKind.NETEM)) {
      DatagramRun run =
          DatagramRun.between(lab.site("a"), lab.site("b"), 200, 5_000, Duration.ofSeconds(1));

      assertThat(run.sent() - run.received()).isBetween(200L, 300L);
      assertThat(run.reordered()).isZero();
      assertThat(run.oneWayNanos().getMinValue()).isGreaterThanOrEqualTo(10_000_000);
    } catch (CommandException e) {
      assumeTrue(
          !String.valueOf(e.getMessage()).contains("has no netem"), "SKIPPED: " + e.getMessage());
      throw e;
    }
  }
}
