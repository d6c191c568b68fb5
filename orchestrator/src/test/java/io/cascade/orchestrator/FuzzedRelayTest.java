package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.Role;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.SetupTimings;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A relay with a key of its own that says whatever it likes. How many documents is {@code
 * -Dcascade.fuzz.documents}, 2,000 unless set.
 */
@NullUnmarked
@Tag("slow")
class FuzzedRelayTest {
  private static final long DOCUMENTS = Long.getLong("cascade.fuzz.documents", 2_000);
  private static final int BETWEEN_LOOKS = 20;
  private static final int BETWEEN_TELLING = 10_000;
  private static final List<String> ASKING =
      List.of("/relays", "/links", "/chains", "/statistics", "/metrics");

  private static final ProbeRequest PROBE = new ProbeRequest("192.0.2.1", 80, 5, null, null);
  private static final String STREAMS =
      """
      {"streams": [{"streamId": "00000000-0000-0000-0000-000000000001", "state": "RUNNING",
        "openedAt": "2026-01-01T00:00:00Z", "durationMillis": 5.0, "firstByteMillis": 1.0,
        "client": "192.0.2.7:1", "onward": "192.0.2.8:1", "warm": true, "reason": "peer-reset", "detail": "d",
        "forward": {"bytesIn": 5, "bytesOut": 5, "heldBytes": 0, "peakHeldBytes": 1, "finished": false},
        "backward": {"bytesIn": 5, "bytesOut": 5, "heldBytes": 0, "peakHeldBytes": 1, "finished": false}}]}
      """;

  private final FuzzedDocuments documents =
      new FuzzedDocuments(Long.getLong("cascade.fuzz.seed", 1));
  private final ManualTime time = ManualTime.from(Instant.now());
  private final List<String> said = new ArrayList<>();
  private Rig rig;
  private FakeRelay odd;
  private String key;
  private Chain chain;

  @Test
  void costsNobodyElse(@TempDir Path state) {
    try (Rig started =
        Rig.start(
            state,
            settings ->
                settings
                    .withToken("a-secret-of-some-length")
                    .withClocks(time.clock(), time.nanos())
                    .withHeartbeat(Duration.ofMinutes(5)))) {
      rig = started;
      key = rig.client().createKey(new ApiKeyRequest("odd", Role.RELAY, null)).secret();
      odd = rig.relay("odd").register();
      odd.links.add(Rig.measured("r1", 100, 1, 20));
      odd.destinations.add(new DestinationUse(Rig.DESTINATION, 1L, 1_000L, 1e6));
      odd.throughput = test -> changed(FakeRelay.report(test, 1e8, 1_000, 1, 20));
      odd.sinkRefusal = null;
      odd.before = exchange -> documents.next(4) != 0 && answer(exchange);
      rig.live("r1").sinkRefusal = null;
      chain = rig.openVia("r1");
      for (long i = 0; i < DOCUMENTS; i++) {
        say();
        if (i % BETWEEN_LOOKS == 0) {
          time.pass(Duration.ofSeconds(1));
          expectOthersServed();
          said.clear();
        }
        if (i % BETWEEN_TELLING == BETWEEN_TELLING - 1) {
          System.out.printf("%d documents%n", i + 1);
        }
      }
    }
  }

  private void say() {
    switch (documents.next(8)) {
      case 0 -> {
        odd.startAnew();
        call("POST", "/relays", signedRegistration());
        odd.startAnew().register();
      }
      case 1, 2, 3 -> call("POST", "/relays/odd/heartbeats", signedHeartbeat());
      case 4 ->
          call(
              "POST",
              "/relays/odd/routes",
              changed(
                  Json.lenient()
                      .readTree(
                          """
                          {"instance": "%s", "destination": "192.0.2.1:80",
                           "trial": {"chainId": "%s", "verdict": "CHAIN", "validSeconds": 60, "summary": "tried",
                            "direct": {"streams": 5, "bulkStreams": 1, "bitsPerSecond": 1e6, "firstByteMillis": 5.0},
                            "chain": {"streams": 5, "bulkStreams": 1, "bitsPerSecond": 1e7, "firstByteMillis": 5.0}}}
                          """
                              .formatted(odd.instance(), chain.id()))));
      case 5 -> others("POST", "/links/r1/odd/tests", "{\"seconds\": 1}");
      case 6 -> {
        others("GET", "/relays/odd/limits", null);
        others("PATCH", "/relays/odd/limits", "{\"maxStreams\": 7}");
      }
      default -> {
        Rig.Response opened =
            others(
                "POST",
                "/chains",
                "{\"destination\": \"%s\", \"via\": [\"odd\", \"r1\"]}".formatted(Rig.DESTINATION));
        if (opened.status() < 300) {
          String id = Json.lenient().readTree(opened.body()).at("/id").stringValue();
          others("GET", "/chains/" + id + "/streams", null);
          others("DELETE", "/chains/" + id, null);
        }
      }
    }
  }

  /** Signed where it can be read at all. */
  private Object signedRegistration() {
    JsonNode changed = changed(odd.registration());
    try {
      return odd.signer().sign(Json.lenient().treeToValue(changed, RelayRegistration.class));
    } catch (JacksonException | NullPointerException e) {
      return changed;
    }
  }

  private Object signedHeartbeat() {
    JsonNode changed = changed(odd.heartbeat());
    try {
      return odd.signer().sign("odd", Json.lenient().treeToValue(changed, Heartbeat.class));
    } catch (JacksonException | NullPointerException e) {
      return changed;
    }
  }

  private JsonNode changed(Object document) {
    JsonNode changed = documents.changed(Json.lenient().valueToTree(document));
    said.add(changed.toString());
    return changed;
  }

  /** The relay is told what is wrong, and never that the orchestrator is. */
  private void call(String method, String path, Object document) {
    String body = Json.lenient().writeValueAsString(document);
    Rig.Response answer =
        rig.call(method, "/api/v1" + path, body, "Authorization", "Bearer " + key);
    assertThat(answer.status()).as("%s: %s", body, answer.body()).isLessThan(500);
  }

  /** A call that leads to the relay may fail by it, and not by the orchestrator. */
  private Rig.Response others(String method, String path, String body) {
    Rig.Response answer = rig.call(method, "/api/v1" + path, body);
    assertThat(answer.status())
        .as("%s %s: %s after %s", method, path, answer.body(), said)
        .isNotEqualTo(500);
    return answer;
  }

  private boolean answer(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    int status = documents.next(8) == 0 ? 200 + documents.next(400) : 200;
    FakeRelay.answer(exchange, status, changed(answerTo(path.substring(path.lastIndexOf('/')))));
    return true;
  }

  private Object answerTo(String last) {
    Instant now = Instant.EPOCH;
    return switch (last) {
      case "/limits" -> new Limits(1_000, 64L << 20, 4L << 20, 30);
      case "/probes" -> FakeRelay.reached(PROBE, 0, 0, 10);
      case "/chains" -> OddRelayTest.parts(chain.id());
      case "/leases" -> new LeaseRenewed(List.of(chain.id()), List.of());
      case "/streams" -> Json.lenient().readTree(STREAMS);
      default ->
          new InstalledPart(
              chain.id(),
              now,
              false,
              "127.0.0.1",
              7,
              4,
              new SetupTimings(1.0, 2.0, 3.0, 4.0),
              null);
    };
  }

  private void expectOthersServed() {
    for (String path : ASKING) {
      Rig.Response answer = rig.call("GET", "/api/v1" + path, null);
      assertThat(answer.status()).as("%s: %s after %s", path, answer.body(), said).isEqualTo(200);
    }
    Rig.Response plan =
        rig.call(
            "POST",
            "/api/v1/plans",
            "{\"destination\": \"%s\", \"bytes\": 1000000000, \"measureSeconds\": 0}"
                .formatted(Rig.DESTINATION));
    assertThat(plan.status()).as("%s after %s", plan.body(), said).isEqualTo(200);
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }
}
