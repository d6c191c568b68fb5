package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayStatistics;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PartList;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProcessTotals;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A relay that fails in any way, or answers anything, costs only itself. */
@NullUnmarked
@Timeout(120)
class OddRelayTest extends RigTest {
  private static final List<String> ASKING =
      List.of("/statistics", "/metrics", "/chains", "/relays", "/links");

  private static final String PLAN =
      "{\"destination\": \"" + Rig.DESTINATION + "\", \"measureSeconds\": 0}";

  @ParameterizedTest
  @ValueSource(strings = {"relay_1", "relay 1", "r1\nWARN all is lost", "a/b", "[::1]", "127.1"})
  void aHostThatNoUrlCanHaveIsRefusedAtRegistration(String host) {
    FakeRelay odd = rig.relay("odd").at(host);

    assertThatThrownBy(odd::register)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(400);
              assertThat(problem.getMessage()).contains("hop.host: a host name of letters, digits");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"relay_1", "relay 1", "::::", "-"})
  void aHostThatAnEarlierVersionTookCostsOnlyItsRelay(String host) throws SQLException {
    rig.relay("odd").register();
    rig.live("r1");
    rig.stop();
    storeControlHost("odd", host);
    rig.startAgain();
    await().until(() -> rig.client().relays().relays().size() == 2);

    expectOthersServed(rig.openVia("r1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "garbage",
        "\"text\"",
        "{\"parts\": null}",
        "{\"parts\": [null]}",
        "{\"parts\": [{}]}",
        "{\"parts\": 7}",
        "{\"renewed\": null, \"unknown\": [null]}",
        "{\"attempts\": 1e99, \"connected\": -1}"
      })
  void anAnswerOfAnotherFormCostsOnlyItsRelay(String body) {
    FakeRelay odd = rig.live("odd");
    rig.live("r1");
    Chain chain = rig.openVia("r1");
    odd.before = exchange -> answer(exchange, 200, body);

    expectOthersServed(chain);
    odd.before = exchange -> answer(exchange, 500, body);
    expectOthersServed(chain);
  }

  @Test
  void anAnswerThatNestsWithoutEndCostsOnlyItsRelay() {
    FakeRelay odd = rig.live("odd");
    rig.live("r1");
    Chain chain = rig.openVia("r1");
    odd.before = exchange -> answer(exchange, 200, "[".repeat(1 << 19));

    expectOthersServed(chain);
  }

  @Test
  void moreInventedPartsThanAnyRelayHasCostOnlyItsRelay() {
    FakeRelay odd = rig.live("odd");
    rig.live("r1");
    Chain chain = rig.openVia("r1");
    String parts =
        Stream.generate(() -> parts(UUID.randomUUID()).at("/parts/0").toString())
            .limit(4_097)
            .collect(Collectors.joining(",", "{\"parts\":[", "]}"));
    odd.before =
        exchange ->
            exchange.getRequestURI().getPath().endsWith("/chains") && answer(exchange, 200, parts);

    assertThatThrownBy(
            () -> new RelayControlClient(odd.address(), null).list(Duration.ofSeconds(10)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("parts: 4097 entries");
    for (String path : ASKING) {
      assertThat(rig.call("GET", "/api/v1" + path, null).status()).as(path).isEqualTo(200);
    }
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  @Test
  void whateverAValueOfAnAnswerIsItCostsOnlyItsRelay(@TempDir Path state) {
    ManualTime time = ManualTime.from(Instant.now());
    rig.close();
    // Nobody is lost while the time that the orchestrator sees runs ahead.
    rig =
        Rig.start(
            state,
            settings ->
                settings
                    .withClocks(time.clock(), time.nanos())
                    .withHeartbeat(Duration.ofMinutes(5)));
    FakeRelay odd = rig.live("odd");
    rig.live("r1");
    Chain through = rig.openVia("odd", "r1");
    Chain chain = rig.openVia("r1");

    for (JsonNode document : mutations(parts(through.id()))) {
      odd.before =
          exchange ->
              exchange.getRequestURI().getPath().endsWith("/chains")
                  && answer(exchange, 200, document.toString());
      // Statistics ask the relays again, and compare with what they said before.
      time.pass(Duration.ofSeconds(1));
      Rig.Response answer = rig.call("GET", "/api/v1/metrics", null);
      assertThat(answer.status()).as("%s: %s", document, answer.body()).isEqualTo(200);
    }
    odd.before = exchange -> answer(exchange, 200, "garbage");
    time.pass(Duration.ofSeconds(1));
    expectOthersServed(chain);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0, 1e-300, 0.0001, 3_600_000, 1e9, 1e300, Double.NaN})
  void measurementsThatCannotBeCostOnlyItsRelay(double value) {
    FakeRelay odd = rig.relay("odd");
    odd.capacityBitsPerSecond = Long.MAX_VALUE;
    odd.congestionControl = "\n";
    odd.congestionControls = List.of("", "\n", "cubic", "cubic");
    odd.sendBufferBytes = 1L;
    odd.receiveBufferBytes = 1L;
    odd.limits =
        Limits.builder()
            .maxStreams(1)
            .memoryBytes(1L << 40)
            .streamBytes(1L << 30)
            .drainSeconds(1)
            .build();
    odd.probe =
        request ->
            ProbeReport.builder()
                .host(request.host())
                .port(request.port())
                .attempts(value > 0 ? 100 : Integer.MAX_VALUE)
                .connected(100)
                .late(0)
                .minRttMillis(value)
                .medianRttMillis(value)
                .build();
    odd.sinkRefusal = null;
    odd.throughput = test -> FakeRelay.report(test, value, 1, Long.MAX_VALUE, value);
    odd.live();
    FakeRelay r1 = rig.live("r1");
    r1.sinkRefusal = null;
    Chain chain = rig.openVia("r1");
    odd.links.add(
        LinkMeasurement.builder()
            .peer("r1")
            .sent(1_000_000_000L)
            .received(1L)
            .lost(999_999_999L)
            .returnLost(1L)
            .minRttMillis(value)
            .smoothedRttMillis(value)
            .jitterMillis(value)
            .build());
    if (value >= 0.0001 && value <= 3_600_000) {
      await().until(() -> !rig.client().links().links().isEmpty());
    }

    assertThat(rig.call("POST", "/api/v1/links/odd/r1/tests", "{}").status()).isNotEqualTo(500);
    for (String path : ASKING) {
      assertThat(rig.call("GET", "/api/v1" + path, null).status()).as(path).isEqualTo(200);
    }
    for (String seconds : List.of("0", "2")) {
      Rig.Response plan =
          rig.call(
              "POST",
              "/api/v1/plans",
              "{\"destination\": \"%s\", \"bytes\": 1000000000, \"measureSeconds\": %s}"
                  .formatted(Rig.DESTINATION, seconds));
      assertThat(plan.status()).as(plan.body()).isEqualTo(200);
    }
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  /** Everything that asks several relays. */
  private void expectOthersServed(Chain chain) {
    for (String path : ASKING) {
      assertThat(rig.call("GET", "/api/v1" + path, null).status()).as(path).isEqualTo(200);
    }
    assertThat(rig.client().statistics().relays())
        .filteredOn(RelayStatistics::answered)
        .extracting(RelayStatistics::relay)
        .contains("r1")
        .doesNotContain("odd");
    assertThat(rig.call("GET", "/api/v1/chains/" + chain.id(), null).status()).isEqualTo(200);
    assertThat(rig.call("POST", "/api/v1/plans", PLAN).status()).isEqualTo(200);
    Chain planned = rig.client().open(Rig.request(null, null, null, null), null);
    assertThat(planned.state()).isEqualTo(ChainState.READY);
    rig.client().close(planned.id(), false);
    assertThat(rig.call("POST", "/api/v1/links/r1/odd/tests", "{}").status())
        .isBetween(400, 503)
        .isNotEqualTo(500);
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  private static boolean answer(HttpExchange exchange, int status, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    try {
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  private void storeControlHost(String relay, String host) throws SQLException {
    String url =
        "jdbc:h2:file:" + rig.state().resolve("orchestrator").resolve("state").toAbsolutePath();
    try (Connection database =
            DriverManager.getConnection(
                url + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE", "cascade", "");
        PreparedStatement update =
            database.prepareStatement(
                "update relay set registration = replace(registration,"
                    + " '\"control\":{\"host\":\"127.0.0.1\"', ?) where name = ?")) {
      update.setString(1, "\"control\":{\"host\":\"" + host + "\"");
      update.setString(2, relay);
      assertThat(update.executeUpdate()).isEqualTo(1);
    }
  }

  /** A list of parts in which every value is there. */
  static ObjectNode parts(UUID chain) {
    HopAddress hop = new HopAddress(0, 0, 0);
    HopConnections connections =
        HopConnections.builder()
            .hop(hop)
            .connections(1L)
            .meanRttMillis(12.5)
            .minRttMillis(10.0)
            .congestionWindowSegments(20L)
            .unackedSegments(5L)
            .notSentBytes(4_096L)
            .sentSegments(1_000L)
            .retransmittedSegments(3L)
            .ackedBytes(4L)
            .busyMillis(5L)
            .receiverLimitedMillis(6L)
            .senderLimitedMillis(7L)
            .congestionControl("cubic")
            .build();
    Stalls stalls = new Stalls(1.0, 2.0, 0.5);
    StreamTotals totals =
        StreamTotals.builder()
            .running(1L)
            .opened(3L)
            .completed(1L)
            .failed(1L)
            .forwardBytes(1_000L)
            .backwardBytes(2_000L)
            .failures(Map.of("peer-reset", 1L))
            .heldBytes(512L)
            .forwardStalls(stalls)
            .backwardStalls(stalls)
            .inlets(List.of(connections))
            .outlets(List.of(connections))
            .build();
    PartList list =
        new PartList(
            List.of(
                PartStatus.builder()
                    .chainId(chain)
                    .state(PartState.READY)
                    .leaseExpiresAt(Instant.now())
                    .ingressHost("127.0.0.1")
                    .ingressPort(1)
                    .warmConnections(4)
                    .totals(totals)
                    .build()),
            new ProcessTotals(90.0, 4.5, 4));
    return (ObjectNode) Json.strict().valueToTree(list);
  }

  /** Documents that differ from this one in a single value, or in having one twice. */
  private static List<JsonNode> mutations(ObjectNode document) {
    List<JsonNode> mutations = new ArrayList<>();
    for (String pointer : pointers(document, "")) {
      for (String value :
          List.of(
              "null",
              "-1",
              "9223372036854775807",
              "1e999",
              "\"NaN\"",
              "\"\"",
              "[]",
              "{}",
              "[null]")) {
        ObjectNode copy = document.deepCopy();
        set(copy, pointer, Json.lenient().readTree(value));
        mutations.add(copy);
      }
      ObjectNode doubled = document.deepCopy();
      if (doubled.at(pointer) instanceof ArrayNode array && !array.isEmpty()) {
        array.add(array.get(0).deepCopy());
        mutations.add(doubled);
      }
    }
    return mutations;
  }

  private static List<String> pointers(JsonNode node, String at) {
    List<String> pointers = new ArrayList<>();
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> property : object.properties()) {
        pointers.add(at + "/" + property.getKey());
        pointers.addAll(pointers(property.getValue(), at + "/" + property.getKey()));
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        pointers.add(at + "/" + i);
        pointers.addAll(pointers(array.get(i), at + "/" + i));
      }
    }
    return pointers;
  }

  private static void set(JsonNode in, String pointer, JsonNode value) {
    int last = pointer.lastIndexOf('/');
    JsonNode parent = in.at(pointer.substring(0, last));
    String name = pointer.substring(last + 1);
    if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(name), value);
    } else {
      ((ObjectNode) parent).set(name, value);
    }
  }
}
