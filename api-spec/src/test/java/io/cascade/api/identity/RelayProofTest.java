package io.cascade.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.SplitterOperations;
import io.cascade.api.orchestrator.SplitterPolicy;
import io.cascade.api.orchestrator.SplitterReport;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class RelayProofTest {
  private static final UUID INSTANCE = UUID.fromString("6f1d2c3b-0000-4000-8000-000000000001");

  private final RelayKey key = RelayKey.generate();
  private final RelaySigner signer = new RelaySigner(key, 3, 0);

  @Test
  void aSignedRegistrationHoldsAlsoWhenItHasTravelledAsJson() {
    RelayRegistration signed = signer.sign(registration());

    String travelled = Json.strict().writeValueAsString(signed);

    assertThat(RelayProof.holds(Json.strict().readValue(travelled, RelayRegistration.class)))
        .isTrue();
    assertThat(signed.publicKey()).isEqualTo(key.publicKey()).matches("[A-Za-z0-9+/]{59}=");
    assertThat(signed.signature()).matches("[A-Za-z0-9+/]{86}==");
    assertThat(signed.generation()).isEqualTo(3);
  }

  /** All of its properties; a change of each is a JSON merge. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'name':'r2'}",
        "{'site':'paris'}",
        "{'instance':'6f1d2c3b-0000-4000-8000-000000000002'}",
        "{'version':'9'}",
        "{'control':{'host':'192.0.2.9','port':7412}}",
        "{'control':{'host':'192.0.2.1','port':7419}}",
        "{'hop':{'host':'192.0.2.9','port':7411}}",
        "{'hop':{'host':'192.0.2.1','port':7419}}",
        "{'capacityBitsPerSecond':2}",
        "{'capacityBitsPerSecond':null}",
        "{'pricePerGib':0.03}",
        "{'congestionControl':'bbr'}",
        "{'congestionControls':['cubic']}",
        "{'congestionControls':['cubicreno']}",
        "{'congestionControls':null}",
        "{'hopSecurity':'TLS'}",
        "{'certificateSha256':'bb'}",
        "{'sendBufferBytes':2}",
        "{'receiveBufferBytes':2}",
        "{'rendezvous':{'host':'192.0.2.1','port':7419}}",
        "{'rendezvous':null}",
        "{'generation':4}",
        "{'sequence':2}",
        "{'publicKey':'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='}",
        "{'publicKey':'no key'}",
        "{'signature':'no signature'}",
        "{'signature':''}"
      })
  void aChangeOfAnyPropertyIsNoticed(String change) {
    RelayRegistration signed = signer.sign(registration());
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(signed);
    document.setAll((ObjectNode) Json.strict().readTree(change.replace('\'', '"')));

    RelayRegistration changed = Json.strict().treeToValue(document, RelayRegistration.class);

    assertThat(changed).isNotEqualTo(signed);
    assertThat(RelayProof.holds(changed)).isFalse();
  }

  /** As relays sign that know nothing of it: what they signed is the same as before. */
  @Test
  void aRegistrationWithoutARendezvousHoldsAndCannotBeGivenOne() {
    RelayRegistration signed = signer.sign(registration(null));
    assertThat(RelayProof.holds(signed)).isTrue();
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(signed);
    document.putObject("rendezvous").put("host", "192.0.2.9").put("port", 1);
    assertThat(RelayProof.holds(Json.strict().treeToValue(document, RelayRegistration.class)))
        .isFalse();
  }

  @Test
  void aHeartbeatIsTheRelaysOwnAndOfNoOther() {
    Heartbeat signed = signer.sign("r1", heartbeat(7));

    assertThat(RelayProof.holds(key.publicKey(), "r1", signed)).isTrue();
    assertThat(RelayProof.holds(key.publicKey(), "r2", signed)).isFalse();
    assertThat(RelayProof.holds(RelayKey.generate().publicKey(), "r1", signed)).isFalse();
    Heartbeat other =
        new Heartbeat(
            INSTANCE,
            true,
            7L,
            0L,
            null,
            null,
            signed.sequence(),
            signed.signature(),
            null,
            null,
            null);
    assertThat(RelayProof.holds(key.publicKey(), "r1", other)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'draining':true}",
        "{'draining':null}",
        "{'heldBytes':1}",
        "{'links':[]}",
        "{'links':null}",
        "{'links':[{'peer':'r2','sent':10,'received':9,'lost':9,'returnLost':0,"
            + "'minRttMillis':20.5,'smoothedRttMillis':21.0,'jitterMillis':0.25}]}",
        "{'limits':{'maxStreams':101,'drainSeconds':25}}",
        "{'limits':{'maxStreams':100,'streamBytes':25}}",
        "{'destinations':null}",
        "{'destinations':[{'destination':'example.org:444','streams':1,'bytes':2,"
            + "'bitsPerSecond':3.5}]}",
        "{'stopping':true}",
        "{'peersVersion':'7'}"
      })
  void aChangeOfWhatAHeartbeatReportsIsNoticed(String change) {
    Heartbeat signed = signer.sign("r1", heartbeat(7));
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(signed);
    Heartbeat travelled = Json.strict().treeToValue(document, Heartbeat.class);
    assertThat(RelayProof.holds(key.publicKey(), "r1", travelled)).isTrue();
    document.setAll((ObjectNode) Json.strict().readTree(change.replace('\'', '"')));

    Heartbeat changed = Json.strict().treeToValue(document, Heartbeat.class);

    assertThat(RelayProof.holds(key.publicKey(), "r1", changed)).isFalse();
  }

  @Test
  void aChangeOfWhatASplitterReportsIsNoticed() {
    SplitterReport signed = signer.sign("edge", splitterReport());
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(signed);
    document.put("connections", 5);

    SplitterReport changed = Json.strict().treeToValue(document, SplitterReport.class);

    assertThat(RelayProof.holds("edge", signed)).isTrue();
    assertThat(RelayProof.holds("edge", changed)).isFalse();
  }

  @Test
  void aSplittersReportIsItsOwnAndOfNoOtherKey() {
    SplitterReport signed = signer.sign("edge", splitterReport());

    assertThat(RelayProof.holds("edge", signed)).isTrue();
    assertThat(RelayProof.holds("core", signed)).isFalse();
    assertThat(signed.publicKey()).isEqualTo(key.publicKey());
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(signed);
    document.put("publicKey", RelayKey.generate().publicKey());
    SplitterReport other = Json.strict().treeToValue(document, SplitterReport.class);
    assertThat(RelayProof.holds("edge", other)).isFalse();
  }

  @Test
  void everyMessageHasAGreaterNumberThanTheOneBefore() {
    assertThat(signer.sign(registration()).sequence()).isEqualTo(1);
    assertThat(signer.sign("r1", heartbeat(0)).sequence()).isEqualTo(2);
    assertThat(new RelaySigner(key, 3, 40).sign(registration()).sequence()).isEqualTo(41);
  }

  @Test
  void aKeyIsReadAsItWasWritten() {
    RelayKey read = RelayKey.read(key.secretText(), key.publicKey());

    assertThat(RelayProof.holds(new RelaySigner(read, 1, 0).sign(registration()))).isTrue();
    assertThat(read.toString()).doesNotContain(key.secretText());
  }

  @Test
  void aPairThatDoesNotBelongTogetherIsNone() {
    String other = RelayKey.generate().publicKey();

    assertThatThrownBy(() -> RelayKey.read(key.secretText(), other))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RelayKey.read("AAAA", key.publicKey()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Heartbeat heartbeat(long streams) {
    return new Heartbeat(
        INSTANCE,
        false,
        streams,
        0L,
        List.of(new LinkMeasurement("r2", 10L, 9L, 1L, 0L, 20.5, 21.0, 0.25, null)),
        new RelayLimits(100, null, null, 25),
        1L,
        "",
        List.of(new DestinationUse("example.org:443", 1L, 2L, 3.5)),
        null,
        null);
  }

  private static SplitterReport splitterReport() {
    return new SplitterReport(
        INSTANCE,
        "0.1",
        "",
        0L,
        "",
        1.0,
        new SplitterPolicy("def-plus", "none", "all", 65_536L),
        0L,
        0L,
        new SplitterOperations(0L, 0L, 0L, 0L),
        List.of());
  }

  private static RelayRegistration registration() {
    return registration(new Endpoint("192.0.2.1", 7414));
  }

  private static RelayRegistration registration(@Nullable Endpoint rendezvous) {
    return new RelayRegistration(
        "r1",
        "berlin",
        INSTANCE,
        "0.1",
        new Endpoint("192.0.2.1", 7412),
        new Endpoint("192.0.2.1", 7411),
        1L,
        0.02,
        "cubic",
        List.of("cubic", "reno"),
        HopSecurity.OPTIONAL,
        "aa",
        1L,
        1L,
        true,
        rendezvous,
        "",
        1L,
        1L,
        "");
  }
}
