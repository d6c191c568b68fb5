package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The addresses whose streams a chain takes. */
@NullUnmarked
class AllowedSourcesTest extends RigTest {
  private static final List<String> OFFICE = List.of("10.0.0.0/8", "2001:db8::7");

  @Test
  void theFirstRelayIsToldOfThemAndTheChainShowsThem() {
    FakeRelay first = rig.live("r1");
    FakeRelay second = rig.live("r2");

    Chain chain = open("r1", "r2");

    assertThat(sources(first, chain)).isEqualTo(OFFICE);
    assertThat(second.heldPart(chain.id()).inlets().getFirst().ingress()).isNull();
    assertThat(rig.client().chain(chain.id()).options().allowSources()).isEqualTo(OFFICE);
  }

  @Test
  void aChainOfWhichNothingIsSaidIsForEverybody() {
    FakeRelay first = rig.live("r1");

    Chain chain = rig.openVia("r1");

    assertThat(sources(first, chain)).isNull();
  }

  @Test
  void aRestartedFirstRelayIsToldAgain() {
    FakeRelay first = rig.live("r1");
    rig.live("r2");
    Chain chain = open("r1", "r2");

    first.restart();

    await().until(() -> first.has(chain.id()));
    assertThat(sources(first, chain)).isEqualTo(OFFICE);
  }

  @Test
  void aFirstRelayThatDoesNotKnowThemIsRefusedAndLosesItsPart() {
    FakeRelay first = rig.live("r1");
    first.knowsSources = false;
    FakeRelay second = rig.live("r2");

    ProblemException problem = catchThrowableOfType(ProblemException.class, () -> open("r1", "r2"));

    assertThat(problem.type()).isEqualTo("urn:cascade:problem:unsupported");
    assertThat(problem).hasMessageContaining("r1: its version does not know allowSources");
    assertThat(rig.state(problem.chainId())).isEqualTo(ChainState.FAILED);
    assertThat(first.has(problem.chainId())).isFalse();
    assertThat(second.has(problem.chainId())).isFalse();
  }

  @Test
  void aFirstRelayThatKnowsThemNoMoreGetsNoPart() {
    FakeRelay first = rig.live("r1");
    rig.live("r2");
    Chain chain = open("r1", "r2");

    first.knowsSources = false;
    first.restart();

    await()
        .until(() -> {
          Chain now = rig.client().chain(chain.id());
          return now.state() == ChainState.DEGRADED
              && now.reason() != null
              && now.reason().contains("does not know allowSources");
        });
    await().until(() -> !first.has(chain.id()));
    assertThat(first.calls)
        .filteredOn(call -> call.method().equals("DELETE"))
        .as("streams that came in meanwhile end")
        .isNotEmpty()
        .allSatisfy(call -> assertThat(call.path()).contains("abort=true"));
  }

  private static List<String> sources(FakeRelay relay, Chain chain) {
    return relay.heldPart(chain.id()).inlets().getFirst().ingress().allowSources();
  }

  private Chain open(String... via) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of(via))
                .options(ChainOptions.builder().allowSources(OFFICE).build())
                .build(),
            UUID.randomUUID().toString());
  }
}
