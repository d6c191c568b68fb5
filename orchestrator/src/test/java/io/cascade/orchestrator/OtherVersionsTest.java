package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.testing.PreviousVersion;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Relays of the version before and of the next one, beside this orchestrator. */
@NullUnmarked
class OtherVersionsTest extends RigTest {
  @Test
  void aRelayOfTheVersionBeforeRegistersAndReports() {
    rig.relay("r2").register();

    Rig.Response registered =
        rig.call("POST", "/api/v1/relays", PreviousVersion.document("registration.json"));
    Rig.Response heard =
        rig.call(
            "POST", "/api/v1/relays/r1/heartbeats", PreviousVersion.document("heartbeat.json"));

    assertThat(registered.status()).as(registered.body()).isEqualTo(200);
    assertThat(heard.status()).as(heard.body()).isEqualTo(200);
    for (Rig.Response answer : new Rig.Response[] {registered, heard}) {
      RelayInstructions instructions =
          Json.lenient().readValue(answer.body(), RelayInstructions.class);
      assertThat(instructions.peers()).as("it needs them each time").hasSize(1);
    }
  }

  @Test
  void whatANewerRelaySaysBesideIsSkipped() {
    FakeRelay r1 = rig.relay("r1");
    RelayRegistration registration = r1.registration();

    assertThat(extended("/api/v1/relays", registration).status()).isEqualTo(200);
    Heartbeat heartbeat = r1.heartbeat();
    Rig.Response heard = extended("/api/v1/relays/r1/heartbeats", heartbeat);
    assertThat(heard.status()).as(heard.body()).isEqualTo(200);
    RouteQuestion question = new RouteQuestion(r1.instance(), "192.0.2.1:80", null);
    Rig.Response way = extended("/api/v1/relays/r1/routes", question);
    assertThat(way.status()).as(way.body()).isEqualTo(200);
  }

  @Test
  void aValueOfAnotherTypeIsStillAMistake() {
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(rig.relay("r1").registration());
    document.put("coded", "yes");

    assertThat(rig.call("POST", "/api/v1/relays", document.toString()).status()).isEqualTo(400);
  }

  @Test
  void whatPeopleAskForIsNotSkipped() {
    rig.relay("r1").register();

    Rig.Response answer = rig.call("PATCH", "/api/v1/relays/r1/limits", "{\"maxStreems\":7}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem().detail()).contains("maxStreems: not a property");
  }

  /** Sends it with properties that this version does not know, also in what it contains. */
  private Rig.Response extended(String path, Object said) {
    ObjectNode document = (ObjectNode) Json.strict().valueToTree(said);
    document.putArray("later").add("a");
    document
        .properties()
        .forEach(property -> {
          if (property.getValue() instanceof ObjectNode inner) {
            inner.put("later", 1);
          }
        });
    return rig.call("POST", path, document.toString());
  }
}
