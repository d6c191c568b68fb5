package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainSecurity;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.api.relay.ChainPart;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Chains that get encrypted hops, and how relays learn each other's certificates. */
@NullUnmarked
class EncryptedChainsTest extends RigTest {
  @Test
  void everyRelayIsToldItsNeighboursCertificates() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");

    Chain chain = open(ChainSecurity.TLS, "r1", "r2", "r3");

    ChainPart first = relays.get(0).heldPart(chain.id());
    ChainPart middle = relays.get(1).heldPart(chain.id());
    ChainPart last = relays.get(2).heldPart(chain.id());
    assertThat(first.outlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 1));
    assertThat(middle.inlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 0));
    assertThat(middle.outlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 2));
    assertThat(last.inlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 1));
    assertThat(transports(chain))
        .containsExactly(HopTransport.TCP, HopTransport.TLS, HopTransport.TLS, HopTransport.TCP);
  }

  @Test
  void nobodyAskedAndNobodyInsistsSoHopsArePlain() {
    List<FakeRelay> relays = rig.live("r1", "r2");

    Chain chain = open(null, "r1", "r2");

    assertThat(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().certificateSha256())
        .isNull();
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().certificateSha256())
        .isNull();
    assertThat(transports(chain)).containsOnly(HopTransport.TCP);
  }

  @Test
  void aCodedHopThatFallsBackToTcpStaysEncrypted() {
    List<FakeRelay> relays = rig.live("r1", "r2");

    Chain chain = open(null, TransportChoice.CODED, "r1", "r2");

    assertThat(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 1));
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 0));
  }

  @Test
  void aCodedHopIsPlainTcpWhereTheChainSaysPlainOrARelayHasNoTls() {
    FakeRelay r1 = rig.relay("r1").live();
    live("r2", HopSecurity.PLAIN);
    rig.live("r3");

    Chain without = open(null, TransportChoice.CODED, "r1", "r2");
    Chain plain = open(ChainSecurity.PLAIN, TransportChoice.CODED, "r1", "r3");

    for (Chain chain : List.of(without, plain)) {
      assertThat(r1.heldPart(chain.id()).outlets().getFirst().relay().certificateSha256()).isNull();
    }
  }

  @Test
  void oneRelayThatInsistsMakesAllHopsEncrypted() {
    rig.live("r1", "r2");
    live("r3", HopSecurity.TLS);

    assertThat(transports(open(null, "r1", "r2", "r3")))
        .containsExactly(HopTransport.TCP, HopTransport.TLS, HopTransport.TLS, HopTransport.TCP);
  }

  @Test
  void aRelayWithoutTlsIsRefusedWithTheFixBeforeAnybodyIsAsked() {
    FakeRelay r1 = rig.live("r1");
    live("r2", HopSecurity.PLAIN);

    assertThatThrownBy(() -> open(ChainSecurity.TLS, "r1", "r2"))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(422))
        .hasMessageContaining("r2 has no TLS")
        .hasMessageContaining("--hop-security plain");
    assertThat(r1.count("PUT")).isZero();
  }

  @Test
  void aRelayThatInsistsIsNoPartOfAPlainChain() {
    rig.live("r1");
    live("r2", HopSecurity.TLS);

    assertThatThrownBy(() -> open(ChainSecurity.PLAIN, "r1", "r2"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("r2 takes encrypted hops only");
  }

  @Test
  void aRelayThatInsistsAndOneThatCannotAreNoChain() {
    live("r1", HopSecurity.PLAIN);
    live("r2", HopSecurity.TLS);

    assertThatThrownBy(() -> open(null, "r1", "r2"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("r2 takes encrypted hops only, and r1 has no TLS");
  }

  @Test
  void whereNoRelayHasTlsThereIsNobodyToChooseFrom() {
    live("r1", HopSecurity.PLAIN);

    assertThatThrownBy(() -> open(ChainSecurity.TLS))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("r1 has no TLS");
  }

  @Test
  void aRestartedRelaysNeighboursAreToldItsNewCertificate() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3");
    Chain chain = open(ChainSecurity.TLS, "r1", "r2", "r3");
    String old = certificate(relays, 1);

    relays.get(1).restart();
    await().until(() -> relays.get(1).has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);

    assertThat(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 1))
        .isNotEqualTo(old);
    assertThat(relays.get(2).heldPart(chain.id()).inlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 1));
  }

  @Test
  void aRelayThatComesBackWithoutTlsDoesNotMakeItsHopsPlain() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = open(ChainSecurity.TLS, "r1", "r2");

    relays.get(1).hopSecurity = HopSecurity.PLAIN;
    relays.get(1).restart();

    await()
        .untilAsserted(
            () -> assertThat(rig.client().chain(chain.id()).reason()).contains("r2 has no TLS"));
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.DEGRADED);
    assertThat(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().certificateSha256())
        .isNotNull();
  }

  @Test
  void theOrchestratorsRestartKeepsHopsEncrypted() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = open(ChainSecurity.TLS, "r1", "r2");

    rig.stop();
    rig.startAgain();

    assertThat(transports(rig.client().chain(chain.id()))).contains(HopTransport.TLS);
    relays.get(1).forget(chain.id());
    await().until(() -> relays.get(1).has(chain.id()));
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().certificateSha256())
        .isEqualTo(certificate(relays, 0));
  }

  private void live(String name, HopSecurity security) {
    FakeRelay relay = rig.relay(name);
    relay.hopSecurity = security;
    relay.live();
  }

  private Chain open(@Nullable ChainSecurity security, String... via) {
    return open(security, null, via);
  }

  private Chain open(
      @Nullable ChainSecurity security, @Nullable TransportChoice transport, String... via) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    if (security != null) {
      options.put("security", security.name());
    }
    if (transport != null) {
      options.put("transport", transport.name());
    }
    return rig.client()
        .open(
            new ChainRequest(
                Rig.DESTINATION,
                null,
                List.of(via),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                3,
                Json.strict().treeToValue(options, ChainOptions.class),
                null,
                null,
                null,
                null,
                null,
                null,
                null),
            UUID.randomUUID().toString());
  }

  private static String certificate(List<FakeRelay> relays, int index) {
    return relays.get(index).certificateSha256();
  }

  private static List<HopTransport> transports(Chain chain) {
    return chain.route().segments().getFirst().pipes().getFirst().hops().stream()
        .map(Hop::transport)
        .toList();
  }
}
