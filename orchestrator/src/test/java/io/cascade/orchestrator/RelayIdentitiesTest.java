package io.cascade.orchestrator;

import static io.cascade.orchestrator.RelaysTest.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.relay.ChainPart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.node.ObjectNode;

/** Processes that may speak in a relay's name. */
@NullUnmarked
class RelayIdentitiesTest extends RigTest {
  @Test
  void aForgedRegistrationLeavesTheRelayItsNameItsKeysAndItsParts() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = rig.openVia("r1", "r2");
    ChainPart part = r1.heldPart(chain.id());
    Relay before = rig.client().relay("r1");
    FakeRelay forger = rig.relay("r1");

    problem(forger::register, 403, "relay-unproven", "DELETE /api/v1/relays/r1");
    problem(forger.startAnew()::register, 403, "relay-unproven", "fix: ");

    r1.beat();
    r2.beat();
    Relay after = rig.client().relay("r1");
    assertThat(after.instance()).isEqualTo(before.instance());
    assertThat(after.control()).isEqualTo(before.control());
    assertThat(after.restarts()).isZero();
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
    assertThat(r1.heldPart(chain.id())).isEqualTo(part);
    assertThat(forger.calls).as("keys that the forger got").isEmpty();
    List<Event> told = rig.events();
    assertThat(told)
        .filteredOn(event -> event.type() == EventType.REGISTRATION_REFUSED)
        .as("told once, however often it tries")
        .singleElement()
        .satisfies(event -> assertThat(event.relay()).isEqualTo("r1"));
    assertThat(told).extracting(Event::type).doesNotContain(EventType.RELAY_RESTARTED);
  }

  @Test
  void aRegistrationThatWasChangedAfterItWasSignedIsRefused() {
    FakeRelay r1 = rig.relay("r1").register();
    RelayRegistration signed = r1.startAnew().registration();
    ObjectNode changed = (ObjectNode) Json.strict().valueToTree(signed);
    changed.putObject("hop").put("host", "192.0.2.66").put("port", 7411);

    problem(
        () -> rig.client().register(Json.strict().treeToValue(changed, RelayRegistration.class)),
        403,
        "relay-unproven",
        "192.0.2.66");

    assertThat(rig.client().relay("r1").hop().host()).isEqualTo("127.0.0.1");
  }

  @Test
  void aNewGenerationIsARestartAndTheOldOneCannotTakeTheNameBack() {
    FakeRelay r1 = rig.relay("r1").register();
    Heartbeat lateBeat = r1.heartbeat();
    RelayRegistration lateRegistration = r1.registration();
    r1.startAnew().register();

    assertThat(rig.client().relay("r1").restarts()).isEqualTo(1);
    assertThat(rig.client().relay("r1").instance()).isEqualTo(r1.instance());
    problem(() -> rig.client().heartbeat("r1", lateBeat), 404, "unknown-instance", "register");
    problem(() -> rig.client().register(lateRegistration), 409, "relay-superseded", "generation 2");
    r1.beat();
    assertThat(rig.events())
        .extracting(Event::type)
        .containsSubsequence(EventType.RELAY_REGISTERED, EventType.RELAY_RESTARTED);
  }

  @Test
  void aSecondProcessOfTheSameGenerationIsRefused() {
    FakeRelay r1 = rig.relay("r1").register();
    FakeRelay copy = rig.relay("r1").as(new RelaySigner(r1.signer().key(), 1, 100));

    problem(copy::register, 409, "relay-doubled", "generation 1");

    r1.beat();
    assertThat(rig.client().relay("r1").instance()).isEqualTo(r1.instance());
  }

  @Test
  void whatWasSentBeforeIsNotTakenAgain() {
    FakeRelay r1 = rig.relay("r1");
    RelayRegistration registration = r1.registration();
    rig.client().register(registration);
    Heartbeat heartbeat = r1.heartbeat();
    rig.client().heartbeat("r1", heartbeat);

    problem(() -> rig.client().register(registration), 409, "stale-message", "above 2");
    problem(() -> rig.client().heartbeat("r1", heartbeat), 409, "stale-message", "above 2");

    r1.register().beat();
  }

  @Test
  void aHeartbeatOfSomebodyWhoReadTheInstanceIsRefused() {
    FakeRelay r1 = rig.relay("r1").register();
    RelaySigner other = new RelaySigner(RelayKey.generate(), 1, 100);
    Heartbeat forged =
        other.sign(
            "r1", new Heartbeat(r1.instance(), true, 0L, 0L, null, null, 1L, "", null, null, null));

    problem(() -> rig.client().heartbeat("r1", forged), 403, "relay-unproven", "not signed");

    r1.beat();
  }

  @Test
  void measurementsThatWereAddedAfterAHeartbeatWasSignedAreRefused() {
    FakeRelay r1 = rig.relay("r1").register();
    rig.relay("r2").register();
    ObjectNode changed = (ObjectNode) Json.strict().valueToTree(r1.heartbeat());
    changed.set("links", Json.strict().valueToTree(List.of(Rig.measured("r2", 100, 90, 20))));

    problem(
        () -> rig.client().heartbeat("r1", Json.strict().treeToValue(changed, Heartbeat.class)),
        403,
        "relay-unproven",
        "not signed");

    assertThat(rig.client().links().links()).isEmpty();
  }

  @Test
  void aForgottenNameIsFreeForAnotherKey() {
    rig.relay("r1").register();
    FakeRelay other = rig.relay("r1");

    rig.client().forget("r1");

    assertThat(rig.client().relay(other.register().name()).instance()).isEqualTo(other.instance());
  }

  @Test
  void namesBelongToTheirKeysAfterARestartOfTheOrchestrator() {
    FakeRelay r1 = rig.relay("r1").startAnew().register();
    rig.stop();
    rig.startAgain();

    problem(() -> rig.client().register(rig.relay("r1").registration()), 403, "relay-unproven", "");
    r1.as(new RelaySigner(r1.signer().key(), 1, 0));
    problem(() -> rig.client().register(r1.registration()), 409, "relay-superseded", "");
  }

  @Test
  void withARestoredOlderDatabaseTheRelayRegistersAgainAndKeepsItsParts(@TempDir Path backup)
      throws IOException {
    FakeRelay r1 = rig.live("r1");
    rig.stop();
    copy(rig.state(), backup);
    rig.startAgain();
    r1.stopBeating();
    r1.startAnew().register();
    Chain young = rig.openVia("r1");
    rig.stop();
    copy(backup, rig.state());

    rig.startAgain();

    problem(r1::beat, 404, "unknown-instance", "register again");
    r1.register().beat();
    assertThat(rig.client().relay("r1").instance()).isEqualTo(r1.instance());
    assertThat(r1.has(young.id())).isTrue();
  }

  private static void copy(Path from, Path to) throws IOException {
    FileSystemUtils.deleteRecursively(to);
    FileSystemUtils.copyRecursively(from, to);
  }

  @Test
  void everyTextOfARegistrationIsBounded() {
    Map<String, Integer> tooLong =
        Map.of(
            "name", 64,
            "site", 64,
            "version", 65,
            "congestionControl", 17,
            "certificateSha256", 65,
            "publicKey", 61,
            "signature", 89);
    tooLong.forEach((property, length) -> {
      ObjectNode document = document();
      document.put(property, "a".repeat(length));
      assertThat(refused(document)).contains(property);
    });
  }

  @Test
  void everyListAndAddressOfARegistrationIsBounded() {
    ObjectNode many = document();
    many.set("congestionControls", Json.strict().valueToTree(Collections.nCopies(65, "cubic")));
    assertThat(refused(many)).contains("congestionControls");
    ObjectNode longName = document();
    longName.set("congestionControls", Json.strict().valueToTree(List.of("c".repeat(17))));
    assertThat(refused(longName)).contains("congestionControls");
    ObjectNode longHost = document();
    longHost.putObject("hop").put("host", "h".repeat(254)).put("port", 1);
    assertThat(refused(longHost)).contains("hop.host");
  }

  private ObjectNode document() {
    return (ObjectNode) Json.strict().valueToTree(rig.relay("r1").registration());
  }

  /** The detail of the problem that it was answered with. */
  private String refused(ObjectNode registration) {
    Rig.Response answer = rig.call("POST", "/api/v1/relays", registration.toString());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(rig.client().relays().relays()).isEmpty();
    return answer.problem().detail();
  }
}
