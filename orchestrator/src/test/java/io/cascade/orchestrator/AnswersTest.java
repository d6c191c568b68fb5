package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;

/** Every answer has the shape that the contract gives it, and no property besides. */
@NullUnmarked
class AnswersTest {
  private static Map<String, Object> components;
  private static Rig rig;
  private static FakeRelay r1;

  @BeforeAll
  static void start(@TempDir Path state) throws IOException {
    try (InputStream yaml = AnswersTest.class.getResourceAsStream("/openapi/orchestrator.yaml")) {
      Map<String, Map<String, Object>> contract = new Yaml().load(yaml);
      components = contract.get("components");
    }
    ((Map<?, ?>) components.get("schemas")).values().forEach(AnswersTest::closed);
    rig = Rig.start(state);
    r1 = rig.relay("r1");
    r1.capacityBitsPerSecond = 100_000_000L;
    r1.congestionControl = "cubic";
    r1.live();
    FakeRelay r2 = rig.live("r2");
    r1.links.add(Rig.measured("r2", 1_000, 2, 40));
    r2.links.add(Rig.measured("r1", 1_000, 0, 40));
    await().until(() -> rig.client().links().links().size() == 2);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void relaysAndLinks() {
    conforms("RelayList", rig.call("GET", "/api/v1/relays", null).body());
    conforms("Relay", rig.call("GET", "/api/v1/relays/r1", null).body());
    conforms("LinkList", rig.call("GET", "/api/v1/links", null).body());
    conforms("LinkHistory", rig.call("GET", "/api/v1/links/r1/r2/history", null).body());
    conforms(
        "RelayInstructions",
        rig.call(
                "POST",
                "/api/v1/relays",
                Json.strict().writeValueAsString(rig.relay("fresh").registration()))
            .body());
  }

  @Test
  void plans() {
    for (String more :
        List.of(
            "",
            ",\"bytes\":1000000",
            ",\"source\":{\"relay\":\"r1\"},\"bytes\":1000000",
            ",\"source\":{\"relay\":\"r1\",\"congestionControl\":\"bbr\"},\"congestionControl\":\"bbr\"",
            ",\"via\":[\"r2\",\"r1\"]")) {
      conforms(
          "Plan",
          rig.call("POST", "/api/v1/plans", "{\"destination\":\"h:1\"" + more + "}").body());
    }
  }

  @Test
  void estimates() {
    for (String more :
        List.of(
            "\"path\":{\"rttMillis\":64,\"lossRate\":0}",
            "\"path\":{\"rttMillis\":64,\"lossRate\":0.01},\"relays\":2,\"lossDivision\":\"SHARED\",\"bytes\":5",
            "\"hops\":[{\"rttMillis\":64,\"probesSent\":9,\"probesLost\":1,\"capacityBitsPerSecond\":1e6}],"
                + "\"receiveWindowBytes\":65536")) {
      conforms(
          "Estimate",
          rig.call("POST", "/api/v1/estimates", "{\"model\":\"MATHIS\"," + more + "}").body());
    }
  }

  @Test
  void chainsAndTheirStreams() {
    String chain =
        rig.call(
                "POST",
                "/api/v1/chains",
                "{\"destination\":\"h:1\",\"name\":\"n\",\"bytes\":5,\"source\":{\"relay\":\"r1\"},"
                    + "\"options\":{\"congestionControl\":\"reno\",\"mode\":\"CUT_THROUGH\"}}")
            .body();
    conforms("Chain", chain);
    String path = "/api/v1/chains/" + Json.strict().readTree(chain).get("id").asString();
    DirectionReport direction =
        DirectionReport.builder()
            .bytesIn(1L)
            .bytesOut(1L)
            .heldBytes(0L)
            .peakHeldBytes(1L)
            .finished(true)
            .splicedBytes(0L)
            .build();
    r1.streams =
        List.of(
            StreamReport.builder()
                .streamId(UUID.randomUUID())
                .state(StreamState.RUNNING)
                .openedAt(Instant.now())
                .durationMillis(1.0)
                .firstByteMillis(0.1)
                .client("127.0.0.1:5")
                .onward("127.0.0.1:6")
                .warm(true)
                .forward(direction)
                .backward(direction)
                .build());
    conforms("Chain", rig.call("GET", path, null).body());
    conforms("ChainStreams", rig.call("GET", path + "/streams", null).body());
    conforms("ChainList", rig.call("GET", "/api/v1/chains", null).body());
    conforms("Chain", rig.call("DELETE", path, null).body());
    conforms("Problem", rig.call("GET", "/api/v1/chains/" + UUID.randomUUID(), null).body());
  }

  @Test
  void events() {
    for (Event event : rig.events()) {
      conforms("Event", Json.strict().writeValueAsString(event));
    }
  }

  @Test
  void aShapeThatIsAnotherWouldBeNoticed() {
    assertThatThrownBy(() -> conforms("Endpoint", "{\"host\":\"h\"}"))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> conforms("Endpoint", "{\"host\":\"h\",\"port\":1,\"more\":1}"))
        .isInstanceOf(AssertionError.class);
  }

  private static void conforms(String type, String document) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$ref", "#/components/schemas/" + type);
    schema.put("components", components);
    JsonNode node = Json.strict().valueToTree(schema);
    Schema validator =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(node);
    assertThat(validator.validate(Json.strict().readTree(document))).as(document).isEmpty();
  }

  /** What the contract does not name must not be there. */
  @SuppressWarnings("unchecked")
  private static void closed(Object schema) {
    if (schema instanceof Map<?, ?> object && object.containsKey("properties")) {
      ((Map<String, Object>) object).put("additionalProperties", false);
    }
  }
}
