package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.Pipe;
import io.cascade.api.orchestrator.Route;
import io.cascade.api.orchestrator.Segment;
import io.cascade.contract.RouteHops.RouteHop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which hops a route has, and who is beside whom. */
class RouteHopsTest {
  /** One pipe to a junction, two from there to another, one of them direct, one pipe on. */
  private static final Route SPLIT =
      route(
          List.of(List.of("source", "in")),
          List.of(List.of("in", "near", "far", "out"), List.of("in", "out")),
          List.of(List.of("out", "destination")));

  @Test
  void aPlainCascadeIsOneSegmentWithOnePipe() {
    RouteHops hops = RouteHops.cascade(List.of("a", "b"), HopTransport.TLS);

    assertThat(hops.document().segments()).hasSize(1);
    assertThat(hops.document().segments().getFirst().pipes()).hasSize(1);
    assertThat(hops.isOnePipe()).isTrue();
    assertThat(hops.all().stream().map(RouteHop::toString))
        .containsExactly("0.0.0 source to a", "0.0.1 a to b", "0.0.2 b to destination");
    assertThat(hops.all())
        .extracting(hop -> hop.hop().transport())
        .containsExactly(HopTransport.TCP, HopTransport.TLS, HopTransport.TCP);
    assertThat(hops.relays()).containsExactly("a", "b");
    assertThat(hops.firstRelay()).isEqualTo("a");
    assertThat(hops.lastRelay()).isEqualTo("b");
    assertThat(hops.neighbours("a")).containsExactly("b");
  }

  @Test
  void aSegmentOfSeveralPipesHasANeighbourInEach() {
    RouteHops hops = RouteHops.of(SPLIT);

    assertThat(hops.isOnePipe()).isFalse();
    assertThat(hops.relays()).containsExactly("in", "near", "far", "out");
    assertThat(hops.firstRelay()).isEqualTo("in");
    assertThat(hops.lastRelay()).isEqualTo("out");
    assertThat(hops.neighbours("in")).containsExactly("near", "out");
    assertThat(hops.neighbours("out")).containsExactly("far", "in");
    assertThat(hops.outOf("in").stream().map(RouteHop::toString))
        .containsExactly("1.0.0 in to near", "1.1.0 in to out");
    assertThat(hops.at(new HopAddress(1, 0, 2))).hasToString("1.0.2 far to out");
    assertThat(hops.at(new HopAddress(1, 1, 1))).isNull();
  }

  @Test
  void everyHopOfARandomRouteIsFoundFromBothItsEnds() {
    Random random = new Random(27);
    for (int i = 0; i < 500; i++) {
      Route route = randomRoute(random);
      RouteHops hops = RouteHops.of(route);

      assertThat(hops.all())
          .isSortedAccordingTo((a, b) -> HopAddresses.ORDER.compare(a.address(), b.address()))
          .hasSize(
              route.segments().stream()
                  .flatMap(segment -> segment.pipes().stream())
                  .mapToInt(pipe -> pipe.hops().size())
                  .sum());
      Set<String> seen = new HashSet<>();
      for (RouteHop hop : hops.all()) {
        HopAddress address = hop.address();
        assertThat(hops.at(address)).isEqualTo(hop);
        assertThat(
                route
                    .segments()
                    .get(address.segment())
                    .pipes()
                    .get(address.pipe())
                    .hops()
                    .get(address.hop()))
            .isEqualTo(hop.hop());
        assertThat(hops.outOf(hop.from())).contains(hop);
        assertThat(hops.into(hop.to())).contains(hop);
        if (hop.joinsRelays()) {
          assertThat(hops.neighbours(hop.from())).contains(hop.to());
          assertThat(hops.neighbours(hop.to())).contains(hop.from());
        }
        seen.addAll(List.of(hop.from(), hop.to()));
      }
      seen.removeAll(Set.of(RouteHops.SOURCE, RouteHops.DESTINATION));
      assertThat(hops.relays()).containsExactlyInAnyOrderElementsOf(seen);
      assertThat(hops.relays().getFirst()).isEqualTo(hops.firstRelay());
      assertThat(seen).contains(hops.lastRelay());
      assertThat(hops.leavingRelays()).hasSize(hops.all().size() - 1);
      assertThat(hops.joiningRelays()).hasSize(hops.all().size() - 2);
      assertThat(hops.map(RouteHop::hop)).isEqualTo(route);
    }
  }

  @Test
  void asJsonItIsTheRoute() {
    RouteHops hops = RouteHops.of(SPLIT);

    String json = Json.strict().writeValueAsString(hops);

    assertThat(Json.strict().readValue(json, Route.class)).isEqualTo(SPLIT);
    assertThat(Json.strict().readValue(json, RouteHops.class)).isEqualTo(hops);
  }

  @ParameterizedTest
  @MethodSource
  void whatIsNoRouteIsRefusedByName(Route route, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteHops.of(route))
        .withMessage("route: " + message);
  }

  static Stream<Arguments> whatIsNoRouteIsRefusedByName() {
    return Stream.of(
        Arguments.of(new Route(List.of()), "segments: 0 (expected: 1 to 16)"),
        Arguments.of(route(List.of()), "pipes of segment 0: 0 (expected: 1 to 64)"),
        Arguments.of(route(List.of(List.of("source"))), "hops of pipe 0.0: 0 (expected: 1 to 17)"),
        Arguments.of(
            route(List.of(List.of("a", "destination"))),
            "hop 0.0.0 a to destination (expected: from source)"),
        Arguments.of(
            route(List.of(List.of("source", "a")), List.of(List.of("b", "destination"))),
            "hop 1.0.0 b to destination (expected: from a)"),
        Arguments.of(route(List.of(List.of("source", "a"))), "ends at a (expected: destination)"),
        Arguments.of(
            route(List.of(List.of("source", "a", "b", "a", "destination"))),
            "hop 0.0.2 b to a (expected: each node once, destination last)"),
        Arguments.of(
            route(
                List.of(List.of("source", "a")),
                List.of(List.of("a", "b"), List.of("a", "c")),
                List.of(List.of("b", "destination"))),
            "pipe 1.1 ends at c (expected: b, as the pipe before)"),
        Arguments.of(
            route(List.of(List.of("source", "a", "destination"), List.of("source", "destination"))),
            "has 2 hops from source (expected: 1)"),
        Arguments.of(
            route(
                List.of(List.of("source", "a")),
                List.of(List.of("a", "b", "destination"), List.of("a", "destination"))),
            "has 2 hops to destination (expected: 1)"),
        Arguments.of(
            route(List.of(List.of("source", "destination"))),
            "has no relay (expected: at least one)"));
  }

  @Test
  void nothingComesBehindTheDestination() {
    Route route =
        route(List.of(List.of("source", "a", "destination")), List.of(List.of("destination", "b")));

    assertThatIllegalArgumentException().isThrownBy(() -> RouteHops.of(route));
  }

  @Test
  void pipesAreCutAtTheJunctionsThatTheyLeadThrough() {
    RouteHops cut =
        RouteHops.segments(
            List.of(List.of("a", "r1", "j", "b"), List.of("a", "j", "r2", "b")),
            List.of("j"),
            HopTransport.TCP);

    assertThat(cut.document())
        .isEqualTo(
            route(
                List.of(List.of("source", "a")),
                List.of(List.of("a", "r1", "j"), List.of("a", "j")),
                List.of(List.of("j", "b"), List.of("j", "r2", "b")),
                List.of(List.of("b", "destination"))));
  }

  @Test
  void aPipeThatMissesAJunctionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            RouteHops.segments(
                List.of(List.of("a", "j", "b"), List.of("a", "b")), List.of("j"), HopTransport.TCP))
        .withMessage("route: pipe a,b (expected: through j)");
  }

  /** Each pipe by the nodes that it passes. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static Route route(List<List<String>>... segments) {
    return new Route(
        Stream.of(segments)
            .map(pipes -> new Segment(pipes.stream().map(RouteHopsTest::pipe).toList()))
            .toList());
  }

  private static Pipe pipe(List<String> nodes) {
    return new Pipe(
        IntStream.range(1, nodes.size())
            .mapToObj(i ->
                Hop.builder()
                    .from(nodes.get(i - 1))
                    .to(nodes.get(i))
                    .transport(HopTransport.TCP)
                    .build())
            .toList());
  }

  private static Route randomRoute(Random random) {
    List<List<List<String>>> segments = new ArrayList<>();
    segments.add(List.of(List.of("source", "j0")));
    int middle = random.nextInt(4);
    for (int segment = 0; segment < middle; segment++) {
      List<List<String>> pipes = new ArrayList<>();
      int parallel = 1 + random.nextInt(4);
      for (int pipe = 0; pipe < parallel; pipe++) {
        List<String> nodes = new ArrayList<>(List.of("j" + segment));
        int relays = random.nextInt(4);
        for (int relay = 0; relay < relays; relay++) {
          // Pipes of a segment may share relays.
          nodes.add("s" + segment + "r" + relay + (random.nextBoolean() ? "" : "p" + pipe));
        }
        nodes.add("j" + (segment + 1));
        pipes.add(nodes);
      }
      segments.add(pipes);
    }
    segments.add(List.of(List.of("j" + middle, "destination")));
    return new Route(
        segments.stream()
            .map(pipes -> new Segment(pipes.stream().map(RouteHopsTest::pipe).toList()))
            .toList());
  }
}
