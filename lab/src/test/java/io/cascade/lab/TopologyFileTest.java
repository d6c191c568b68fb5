package io.cascade.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.lab.Topology.LinkSpec;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.links.Policer;
import io.cascade.links.QueueManagement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What topology files say, and where errors in them are said to be. */
class TopologyFileTest {
  private static final String WHOLE =
      """
      name: two-hops
      seed: 7
      congestion-control: reno
      orchestrator: a
      sites:
        a:
        b: {relays: [r1, r2]}
        c: {congestion-control: bbr}
      links:
        - {between: [a, b], rtt: 20ms, rate: 32Mbit, loss: 0.05%}
        - between: [b, c]
          delay: 10ms
          rate: 32Mbit
          queue: 128KiB
          loss: 1% burst 5
          jitter: 1ms
          reorder: 0.5%
          reorder-delay: 2ms
          mtu: 1400
          backward: {rate: 8Mbit, rtt: 60ms, loss: 0}
      steps:
        - {at: 10s, between: [a, b], loss: 2%}
        - {at: 20s, between: [b, c], down: true}
      """;

  @Test
  void readsEverythingThatATopologyHas() {
    Topology topology = TopologyFile.parse("file.yaml", WHOLE);

    assertThat(topology.name()).isEqualTo("two-hops");
    assertThat(topology.seed()).isEqualTo(7);
    assertThat(topology.orchestrator()).isEqualTo("a");
    assertThat(topology.site("b").relays()).containsExactly("r1", "r2");
    assertThat(topology.site("b").congestionControl()).isEqualTo("reno");
    assertThat(topology.site("c").congestionControl()).isEqualTo("bbr");
    LinkSpec first = topology.links().getFirst();
    assertThat(first.forward())
        .isEqualTo(
            LinkShape.of(Duration.ofMillis(10), 32_000_000).withLoss(new Loss.Bernoulli(0.0005)))
        .isEqualTo(first.backward());
    LinkSpec second = topology.links().getLast();
    assertThat(second.forward().queueBytes()).isEqualTo(128 << 10);
    assertThat(second.forward().loss()).isEqualTo(Loss.GilbertElliott.bursts(0.01, 5));
    assertThat(second.forward().jitter()).isEqualTo(Duration.ofMillis(1));
    assertThat(second.forward().reorderProbability()).isEqualTo(0.005);
    assertThat(second.forward().reorderDelay()).isEqualTo(Duration.ofMillis(2));
    assertThat(second.forward().mtu()).isEqualTo(1_400);
    assertThat(second.backward())
        .isEqualTo(
            second
                .forward()
                .withBitsPerSecond(8_000_000)
                .withDelay(Duration.ofMillis(30))
                .withLoss(Loss.NONE));
    assertThat(topology.steps()).hasSize(2);
    assertThat(topology.steps().getLast().change().applyTo(second.forward()).down()).isTrue();
  }

  @Test
  void writesWhatItReadsBackTheSame() {
    Topology topology = TopologyFile.parse("file.yaml", WHOLE);

    assertThat(TopologyFile.parse("copy.yaml", TopologyFile.write(topology))).isEqualTo(topology);
  }

  @Test
  void takesItsNameFromTheFileAndQueuesOfABandwidthDelayProductUnlessToldOtherwise() {
    Topology topology =
        TopologyFile.parse(
            "some/where/plain.yaml",
            """
            sites: {a: , b: }
            links:
              - {between: [a, b], rtt: 64ms, rate: 32Mbit}
            """);

    assertThat(topology.name()).isEqualTo("plain");
    assertThat(topology.links().getFirst().forward().queueBytes()).isEqualTo(256_000);
  }

  @Test
  void queuesAreCountedInPacketsWhereTheFileSaysSo() {
    Topology topology =
        TopologyFile.parse(
            "plain.yaml",
            """
            sites: {a: , b: }
            links:
              - {between: [a, b], delay: 10ms, rate: 3Mbit, queue: 100packets}
            """);

    LinkShape shape = topology.links().getFirst().forward();
    assertThat(shape.queuePackets()).isEqualTo(100);
    assertThat(ShapeText.from(ShapeText.format(shape))).isEqualTo(shape);
  }

  @Test
  void linksArePolicedAndTheirQueuesManaged() {
    Topology topology =
        TopologyFile.parse(
            "plain.yaml",
            """
            sites: {a: , b: }
            links:
              - between: [a, b]
                delay: 10ms
                rate: 20Mbit
                police: 10Mbit burst 64KiB
                pie: 20ms
                ecn: true
            """);

    LinkShape shape = topology.links().getFirst().forward();
    assertThat(shape.policer()).isEqualTo(new Policer(10_000_000, 65_536));
    assertThat(shape.management()).isEqualTo(new QueueManagement.Pie(Duration.ofMillis(20), true));
    assertThat(ShapeText.from(ShapeText.format(shape))).isEqualTo(shape);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rate: 32Mbit         | rate: 32Mbps         | file.yaml:10: rate: '32Mbps' (expected: a rate
          loss: 0.05%          | loss: 105%           | file.yaml:10: loss: '105%' (expected: a probability
          between: [a, b], rtt | between: [a, x], rtt | site: x (expected: one of a, b, c)
          between: [a, b], rtt | between: [a], rtt    | file.yaml:10: between: 1 sites (expected: [A, B])
          jitter: 1ms          | ecn: true            | file.yaml:11: ecn: a queue that only drops at its end marks nothing
          jitter: 1ms          | police: 1Mbit        | file.yaml:11: police: '1Mbit' (expected: a rate and a burst
          jitter: 1ms          | pie: 0.1ms           | file.yaml:11: pie: 0.1 ms (expected: a target of 1 ms
          jitter: 1ms          | jitter: 11ms         | file.yaml:11: jitter: PT0.011S (expected: 0 to the delay)
          queue: 128KiB        | buffer: 128KiB       | file.yaml:14: 'buffer' is not known here
          seed: 7              | seed: seven          | file.yaml:2: seed: 'seven' (expected: a whole number)
          orchestrator: a      | orchestrator: z      | site: z (expected: one of a, b, c)
          [r1, r2]             | [r1, r1]             | relay r1: twice
          [r1, r2]             | [r1, R2]             | file.yaml:7: relay: 'R2' (expected: a-z, 0-9 and -
          at: 10s, between: [a, b] | at: 10s, between: [a, c] | no link a-c
          down: true           | down: maybe          | file.yaml:23: down: 'maybe' (expected: true or false)
          name: two-hops       | name: [              | file.yaml
          """)
  void namesTheLineAndWhatIsExpected(String right, String wrong, String message) {
    String yaml = WHOLE.replace(right, wrong);

    assertThat(yaml).isNotEqualTo(WHOLE);
    assertThatThrownBy(() -> TopologyFile.parse("file.yaml", yaml))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("file.yaml:")
        .hasMessageContaining(message);
  }

  @Test
  void relaysNeedAnOrchestrator() {
    assertThatThrownBy(
            () -> TopologyFile.parse("file.yaml", WHOLE.replace("orchestrator: a\n", "")))
        .hasMessageContaining("relays without an orchestrator");
  }

  @Test
  void routesOverTheFewestLinksAndOfThoseOverTheQuickest() {
    LinkShape slow = LinkShape.of(Duration.ofMillis(50), 1_000_000);
    LinkShape quick = LinkShape.of(Duration.ofMillis(5), 1_000_000);
    List<LinkSpec> links =
        List.of(
            LinkSpec.symmetric("a", "b", quick),
            LinkSpec.symmetric("a", "c", slow),
            LinkSpec.symmetric("b", "c", quick),
            LinkSpec.symmetric("b", "d", slow),
            LinkSpec.symmetric("c", "d", quick));

    // From a to d both ways take two links: 5 + 50 ms over b, 50 + 5 ms over c; the first by name.
    assertThat(Routes.from("a", links)).isEqualTo(Map.of("b", "b", "c", "c", "d", "b"));
  }
}
