package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.contract.HopAddresses;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.planning.PromisedCapacity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What open chains were promised of relays and links. */
class ChainPromisesTest {

  @Test
  void everyRelayAndLinkOfARouteIsPromisedItsRate() {
    PromisedCapacity promised =
        ChainPromises.of(List.of(chain(10e6, "a", "b", "c"), chain(5e6, "b", "c")));

    assertThat(promised.of("a")).isEqualTo(10e6);
    assertThat(promised.of("b")).isEqualTo(15e6);
    assertThat(promised.of("a", "b")).isEqualTo(10e6);
    assertThat(promised.of("b", "c")).isEqualTo(15e6);
    assertThat(promised.of("c", "b")).as("the other direction").isZero();
    assertThat(promised.of("a", "c")).as("no hop").isZero();
  }

  @Test
  void whatWasNotPredictedIsPromisedNothing() {
    Chain unplanned = chain(null, "a", "b");
    Chain looking = chain(10e6, "a", "b");
    looking.lookForRoute(true);

    PromisedCapacity promised = ChainPromises.of(List.of(unplanned, looking));

    assertThat(promised.of("a")).isZero();
    assertThat(promised.of("a", "b")).isZero();
  }

  /** A chain that is up, and whose plan predicted the rate. */
  static Chain chain(@Nullable Double bitsPerSecond, String... relays) {
    List<String> through = List.of(relays);
    RouteHops route = RouteHops.cascade(through, HopTransport.TCP);
    Map<String, String> keys = new HashMap<>();
    for (RouteHop hop : route.joiningRelays()) {
      keys.put(HopAddresses.text(hop.address()), "key");
    }
    List<HopPrediction> hops =
        route.all().stream()
            .map(hop -> HopPrediction.builder().from(hop.from()).to(hop.to()).basis("").build())
            .toList();
    Candidate candidate =
        Candidate.builder()
            .kind(CandidateKind.CASCADE)
            .relays(through)
            .chosen(true)
            .bitsPerSecond(bitsPerSecond)
            .hops(hops)
            .build();
    return new Chain(
        UUID.randomUUID(),
        ChainRequest.builder().destination("h:1").build(),
        null,
        ChainState.READY,
        null,
        LastingGainTest.plan(candidate),
        new Installation(route, keys, 0, null, false, 1, null),
        null,
        Instant.EPOCH,
        Instant.EPOCH);
  }
}
