package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.relay.PartOutlet;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Planned pipes that move to better routes. */
@NullUnmarked
class BetterPipesTest extends RigTest {
  @Test
  void aMuchBetterRouteThatLastsTakesThePlaceOfAPipeAndTheOtherOneStays() {
    FakeRelay first = rig.relay("a");
    FakeRelay last = rig.relay("z");
    FakeRelay good = rig.relay("b");
    FakeRelay poor = rig.relay("c");
    FakeRelay better = rig.relay("d");
    for (FakeRelay middle : List.of(good, poor, better)) {
      long lost = middle == good ? 100 : 4_000;
      first.links.add(Rig.measured(middle.name(), 100_000, lost, 20));
      middle.links.add(Rig.measured("z", 100_000, lost, 20));
    }
    better.links.clear();
    List.of(first, good, poor, better, last).forEach(FakeRelay::live);
    await().until(() -> rig.client().links().links().size() == 5);
    Chain chain = rig.client().open(twoRoutes(), null);
    int place = middles(chain).indexOf("c");
    List<PartOutlet> before = first.heldPart(chain.id()).outlets();

    first.links.removeLast();
    first.links.add(Rig.measured("d", 10_000_000, 100, 20));
    better.links.add(Rig.measured("z", 10_000_000, 100, 20));

    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> middles(rig.client().chain(chain.id())).get(place).equals("d"));
    await().until(() -> !poor.has(chain.id()));
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
    List<PartOutlet> after = first.heldPart(chain.id()).outlets();
    assertThat(after.get(1 - place)).isEqualTo(before.get(1 - place));
    assertThat(after.get(place).relay()).isNotEqualTo(before.get(place).relay());
    assertThat(rig.events()).anyMatch(event -> event.message().contains("move to better pipes"));
  }

  private static ChainRequest twoRoutes() {
    return ChainRequest.builder()
        .destination(Rig.DESTINATION)
        .via(List.of("a", "z"))
        .routes(2)
        .build();
  }

  private static List<String> middles(Chain chain) {
    return chain.route().segments().get(1).pipes().stream()
        .map(pipe -> pipe.hops().getFirst().to())
        .toList();
  }
}
