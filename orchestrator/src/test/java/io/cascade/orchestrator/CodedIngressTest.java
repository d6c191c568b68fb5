package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.CodedIngress;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The key of a client's coded sessions to the first relay of its chain. */
@NullUnmarked
class CodedIngressTest extends RigTest {

  @Test
  void itsOpenerAndTheFirstRelayHaveItAndNobodyElse() {
    FakeRelay first = coded("r1");
    FakeRelay second = coded("r2");

    Chain chain = open(true);

    CodedIngress told = chain.codedIngress();
    assertThat(told.port()).isEqualTo(first.hop().port());
    assertThat(told.key()).hasSize(44).isEqualTo(key(first, chain));
    assertThat(second.heldPart(chain.id()).inlets().getFirst().relay().key())
        .isNotEqualTo(told.key());
    for (String path :
        List.of(
            "/api/v1/chains",
            "/api/v1/chains/" + chain.id(),
            "/api/v1/audit",
            "/api/v1/statistics")) {
      assertThat(rig.call("GET", path, null).body()).as(path).doesNotContain(told.key());
    }
  }

  @Test
  void thereIsNoneWhereNobodyAskedForIt() {
    FakeRelay first = coded("r1");
    coded("r2");

    Chain chain = open(null);

    assertThat(chain.codedIngress()).isNull();
    assertThat(key(first, chain)).isNull();
  }

  @Test
  void thereIsNoneWhereTheFirstRelayOffersNoCodedHops() {
    FakeRelay first = rig.live("r1");
    coded("r2");

    Chain chain = open(true);

    assertThat(chain.codedIngress()).isNull();
    assertThat(key(first, chain)).isNull();
  }

  @Test
  void aRestartedFirstRelayGetsTheSameAgain() {
    FakeRelay first = coded("r1");
    coded("r2");
    Chain chain = open(true);

    first.restart();

    await().until(() -> first.has(chain.id()));
    assertThat(key(first, chain)).isEqualTo(chain.codedIngress().key());
  }

  private FakeRelay coded(String name) {
    FakeRelay relay = rig.relay(name);
    relay.offersCoded = true;
    return relay.live();
  }

  private static String key(FakeRelay relay, Chain chain) {
    return relay.heldPart(chain.id()).inlets().getFirst().ingress().key();
  }

  private Chain open(Boolean coded) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of("r1", "r2"))
                .codedIngress(coded)
                .build(),
            UUID.randomUUID().toString());
  }
}
