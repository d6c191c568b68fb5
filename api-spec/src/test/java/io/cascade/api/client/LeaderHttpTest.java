package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that knows several orchestrators, of which one leads. */
@Timeout(60)
class LeaderHttpTest {
  private final List<Orchestrator> orchestrators = new ArrayList<>();
  private OrchestratorClient client;

  @SuppressWarnings("NullAway.Init")
  LeaderHttpTest() {}

  @BeforeEach
  void start() throws IOException {
    orchestrators.add(new Orchestrator());
    orchestrators.add(new Orchestrator());
    client =
        new OrchestratorClient(orchestrators.stream().map(Orchestrator::address).toList(), "key");
  }

  @AfterEach
  void stop() {
    orchestrators.forEach(Orchestrator::close);
  }

  @Test
  void aCallGoesToTheLeaderAndLaterOnesGoThereAtOnce() {
    orchestrators.get(1).epoch = 7;

    assertThat(client.relays().relays()).isEmpty();
    assertThat(client.relays().relays()).isEmpty();

    assertThat(client.address()).isEqualTo(orchestrators.get(1).address());
    assertThat(orchestrators.get(0).calls).containsOnlyOnce("GET /api/v1/relays");
    assertThat(orchestrators.get(1).calls).contains("GET /api/v1/relays");
  }

  @Test
  void theGreaterEpochLeadsWhereTwoSayThatTheyDo() {
    orchestrators.get(1).epoch = 8;
    client.relays();
    orchestrators.get(0).epoch = 9;
    orchestrators.get(1).refuses = true;

    client.relays();

    assertThat(client.address()).isEqualTo(orchestrators.get(0).address());
  }

  @Test
  void whereTheLeaderIsGoneItIsTheOther() {
    orchestrators.get(0).epoch = 7;
    client.relays();
    orchestrators.get(0).close();
    orchestrators.get(1).epoch = 8;

    client.resetCorrections();

    assertThat(orchestrators.get(1).calls).contains("DELETE /api/v1/corrections");
  }

  @Test
  void reachingOneConnectsAndCallsNothing() {
    orchestrators.get(0).close();
    orchestrators.get(1).epoch = 8;

    client.reach();

    assertThat(client.address()).isEqualTo(orchestrators.get(1).address());
    assertThat(orchestrators.get(1).calls).isEmpty();
    orchestrators.get(1).close();
    assertThatThrownBy(() -> client.reach()).isInstanceOf(UnreachableException.class);
  }

  /** It says at once that none leads; a host that was lost says nothing. */
  @Test
  void whereNoneLeadsYetAStandbyIsAskedUntilOneDoes() {
    orchestrators.get(0).epoch = 7;
    client.relays();
    orchestrators.get(0).close();

    assertThatThrownBy(() -> client.relays()).isInstanceOf(UnreachableException.class);
    assertThat(client.address()).isEqualTo(orchestrators.get(1).address());
    assertThatThrownBy(() -> client.relays())
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.isAboutLeading()).isTrue())
        .hasMessageContaining("stands by")
        .hasMessageNotContaining("no answer");

    orchestrators.get(1).epoch = 8;
    assertThat(client.relays().relays()).isEmpty();
  }

  @Test
  void noRedirectIsFollowedAndNoKeyGoesToWhomWasNotNamed() throws IOException {
    try (Orchestrator stranger = new Orchestrator()) {
      stranger.epoch = 9;
      orchestrators.getFirst().location = stranger.address();

      assertThatThrownBy(() -> client.relays())
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("stands by");

      assertThat(stranger.calls).isEmpty();
    }
  }

  /** Leads where it has an epoch. */
  private static final class Orchestrator implements AutoCloseable {
    private final HttpServer server;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile long epoch;
    private volatile boolean refuses;
    private volatile URI location = URI.create("http://127.0.0.1:9");

    Orchestrator() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
      server.createContext("/", this::answer);
      server.start();
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/api/v1/health")) {
        String role = epoch > 0 ? "\"LEADER\",\"epoch\":" + epoch : "\"STANDBY\"";
        write(exchange, 200, "{\"status\":\"UP\",\"role\":" + role + "}");
        return;
      }
      calls.add(exchange.getRequestMethod() + " " + path);
      if (epoch == 0 || refuses) {
        exchange.getResponseHeaders().set("Location", location + path);
        write(
            exchange,
            307,
            "{\"type\":\"urn:cascade:problem:not-leader\",\"title\":\"stands by\",\"status\":503}");
      } else {
        write(exchange, 200, "{\"relays\":[]}");
      }
    }

    private static void write(HttpExchange exchange, int status, String body) throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
