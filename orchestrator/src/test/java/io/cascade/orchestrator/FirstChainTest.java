package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.relay.ChainPart;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way once: relays register and measure, a plan, a chain, its end. */
@NullUnmarked
class FirstChainTest {

  @Test
  void relaysRegisterAndMeasureAndAChainIsPlannedOpenedListedAndClosed(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      FakeRelay r1 = rig.live("r1");
      FakeRelay r2 = rig.live("r2");
      r1.links.add(Rig.measured("r2", 1_000, 1, 40));
      r2.links.add(Rig.measured("r1", 1_000, 1, 40));
      r1.probe = request -> FakeRelay.reached(request, 0, 2, 90);
      r2.probe = request -> FakeRelay.reached(request, 0, 0, 30);
      await().until(() -> rig.client().links().links().size() == 2);

      Plan plan = rig.client().plan(Rig.question(1L << 30, Rig.beside("r1")));

      assertThat(plan.decision()).isIn(Decision.CASCADE, Decision.UNDECIDED);
      assertThat(plan.relays()).contains("r2");
      assertThat(plan.candidates())
          .extracting(Candidate::kind)
          .contains(CandidateKind.DIRECT, CandidateKind.CASCADE);
      assertThat(plan.notes()).asString().contains("at the site of r1");

      Chain chain = rig.openVia("r1", "r2");

      assertThat(chain.state()).isEqualTo(ChainState.READY);
      assertThat(chain.ingress().port()).isPositive();
      assertThat(chain.route().segments()).hasSize(1);
      assertThat(chain.route().segments().getFirst().pipes().getFirst().hops())
          .extracting(Hop::from, Hop::to)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("source", "r1"),
              org.assertj.core.groups.Tuple.tuple("r1", "r2"),
              org.assertj.core.groups.Tuple.tuple("r2", "destination"));
      ChainPart ingress = r1.heldPart(chain.id());
      ChainPart egress = r2.heldPart(chain.id());
      assertThat(ingress.inlets().getFirst().hop()).isEqualTo(new HopAddress(0, 0, 0));
      assertThat(ingress.outlets().getFirst().relay().host()).isEqualTo(r2.hop().host());
      assertThat(ingress.outlets().getFirst().relay().port()).isEqualTo(r2.hop().port());
      assertThat(egress.inlets().getFirst().relay().key())
          .isEqualTo(ingress.outlets().getFirst().relay().key());
      assertThat(egress.outlets().getFirst().egress().host()).isEqualTo("192.0.2.1");
      assertThat(egress.outlets().getFirst().egress().port()).isEqualTo(5001);

      assertThat(rig.client().chains().chains()).extracting(Chain::id).containsExactly(chain.id());
      assertThat(rig.client().chain(chain.id()).totals())
          .extracting(totals -> totals.relay())
          .containsExactlyElementsOf(List.of("r1", "r2"));

      assertThat(rig.client().close(chain.id(), false).state()).isEqualTo(ChainState.CLOSED);
      assertThat(r1.has(chain.id())).isFalse();
      assertThat(r2.has(chain.id())).isFalse();
      assertThat(rig.state(chain.id())).isEqualTo(ChainState.CLOSED);
    }
  }
}
