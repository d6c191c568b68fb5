package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.StreamOptions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Which relays are told what a single hop has otherwise than its chain. */
@NullUnmarked
class HopOptionsTest extends RigTest {
  private static final HopOptions BBR =
      HopOptions.builder()
          .congestionControl("bbr")
          .keepAliveSeconds(60)
          .userTimeoutSeconds(0)
          .pacingBitsPerSecond(50_000_000L)
          .build();

  @Test
  void bothEndsOfAHopAreToldAndNobodyElse() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");

    Chain chain = open(1);

    for (FakeRelay relay : relays) {
      assertThat(options(relay, chain).congestionControl()).isEqualTo("cubic");
    }
    assertThat(relays.get(0).heldPart(chain.id()).inlets().getFirst().options()).isNull();
    assertThat(relays.get(0).heldPart(chain.id()).outlets().getFirst().options()).isNull();
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().options()).isNull();
    assertThat(relays.get(1).heldPart(chain.id()).outlets().getFirst().options()).isEqualTo(BBR);
    assertThat(relays.get(2).heldPart(chain.id()).inlets().getFirst().options()).isEqualTo(BBR);
    assertThat(relays.get(2).heldPart(chain.id()).outlets().getFirst().options()).isNull();
    assertThat(controls(chain)).containsExactly(null, "cubic", "bbr", "cubic");
  }

  @Test
  void theLastHopLeadsToTheDestination() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");

    Chain chain = open(2);

    assertThat(relays.get(1).heldPart(chain.id()).outlets().getFirst().options()).isNull();
    assertThat(relays.get(2).heldPart(chain.id()).inlets().getFirst().options()).isNull();
    assertThat(relays.get(2).heldPart(chain.id()).outlets().getFirst().options()).isEqualTo(BBR);
    assertThat(controls(chain)).containsExactly(null, "cubic", "cubic", "bbr");
  }

  private Chain open(int hop) {
    ChainOptions options =
        Json.strict()
            .convertValue(
                Map.of(
                    "congestionControl",
                    "cubic",
                    "hops",
                    List.of(
                        Map.of(
                            "hop",
                            hop,
                            "congestionControl",
                            "bbr",
                            "keepAliveSeconds",
                            60,
                            "userTimeoutSeconds",
                            0,
                            "pacingBitsPerSecond",
                            50_000_000))),
                ChainOptions.class);
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of("r1", "r2", "r3"))
                .options(options)
                .build(),
            UUID.randomUUID().toString());
  }

  private static StreamOptions options(FakeRelay relay, Chain chain) {
    return relay.heldPart(chain.id()).options();
  }

  private static List<String> controls(Chain chain) {
    return chain.route().segments().getFirst().pipes().getFirst().hops().stream()
        .map(Hop::congestionControl)
        .toList();
  }
}
