package io.cascade.orchestrator;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.store.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A real orchestrator on a free port with a database of its own, and its fake relays. */
final class Rig implements AutoCloseable {
  static final Duration HEARTBEAT = Duration.ofMillis(200);
  static final String DESTINATION = "192.0.2.1:5001";

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final List<FakeRelay> relays = new ArrayList<>();
  private RigSettings changed;
  private Settings settings;
  private Orchestrator orchestrator;
  private OrchestratorClient client;

  private Rig(RigSettings changed) {
    this.changed = changed;
    this.settings = changed.settings();
    this.orchestrator = Orchestrator.start(settings);
    this.client = new OrchestratorClient(orchestrator.address(), settings.token());
  }

  static Rig start(Path state) {
    return start(state, UnaryOperator.identity());
  }

  static Rig start(Path state, UnaryOperator<RigSettings> change) {
    return new Rig(change.apply(RigSettings.local(state).withHeartbeat(HEARTBEAT)));
  }

  OrchestratorClient client() {
    return client;
  }

  URI address() {
    return orchestrator.address();
  }

  Orchestrator orchestrator() {
    return orchestrator;
  }

  /** Null where the state is kept in a file. */
  @Nullable PostgresServer database() {
    return settings.database();
  }

  void stop() {
    orchestrator.close();
  }

  /** The folder of its state. */
  Path state() {
    return settings.stateDirectory();
  }

  /** Starts again on the same port with the same state. */
  void startAgain() {
    startAgain(UnaryOperator.identity());
  }

  /** Starts again on the same port with the same state, but with other settings. */
  void startAgain(UnaryOperator<RigSettings> change) {
    changed = change.apply(changed.withPort(orchestrator.address().getPort()));
    settings = changed.settings();
    orchestrator = Orchestrator.start(settings);
    client = new OrchestratorClient(orchestrator.address(), settings.token());
  }

  /** Not yet registered. */
  FakeRelay relay(String name) {
    FakeRelay relay = FakeRelay.named(name, client, settings.token());
    relays.add(relay);
    return relay;
  }

  FakeRelay live(String name) {
    return relay(name).live();
  }

  List<FakeRelay> live(String... names) {
    return java.util.Arrays.stream(names).map(this::live).toList();
  }

  List<FakeRelay> relays() {
    return List.copyOf(relays);
  }

  Chain openVia(String... via) {
    return client.open(via(via), null);
  }

  static ChainRequest via(String... via) {
    return request(List.of(via), null, null, null);
  }

  static ChainRequest request(
      @Nullable List<String> via,
      @Nullable SetupMode setup,
      @Nullable Integer leaseSeconds,
      @Nullable Source source) {
    return ChainRequest.builder()
        .destination(DESTINATION)
        .via(via)
        .source(source)
        .setup(setup)
        .leaseSeconds(leaseSeconds)
        .build();
  }

  static PlanRequest question(@Nullable Long bytes, @Nullable Source source) {
    return PlanRequest.builder().destination(DESTINATION).bytes(bytes).source(source).build();
  }

  static Source beside(String relay) {
    return Source.builder().relay(relay).congestionControl("cubic").build();
  }

  static LinkMeasurement measured(String peer, long sent, long lost, double rttMillis) {
    return LinkMeasurement.builder()
        .peer(peer)
        .sent(sent)
        .received(sent - lost)
        .lost(lost)
        .returnLost(0L)
        .minRttMillis(rttMillis)
        .smoothedRttMillis(rttMillis + 0.5)
        .jitterMillis(0.2)
        .build();
  }

  /** All that the orchestrator holds; a relay made up for the purpose marks the end. */
  List<Event> events() {
    FakeRelay marker = relay("marker-" + UUID.randomUUID()).register();
    List<Event> seen = new ArrayList<>();
    client.follow(
        0L,
        event -> {
          boolean end = marker.name().equals(event.relay());
          if (!end) {
            seen.add(event);
          }
          return !end;
        });
    client.forget(marker.name());
    return seen;
  }

  ChainState state(UUID chain) {
    return client.chain(chain).state();
  }

  /** An answer as it came. */
  record Response(int status, String type, String body, HttpResponse<String> response) {
    io.cascade.api.orchestrator.Problem problem() {
      return Json.strict().readValue(body, io.cascade.api.orchestrator.Problem.class);
    }
  }

  Response call(String method, String path, @Nullable String body, String... headers) {
    return call(HTTP, method, path, body, headers);
  }

  /** Calls from another of this host's addresses. */
  Response callFrom(String address, String method, String path, String body, String... headers) {
    try (HttpClient http =
        HttpClient.newBuilder().localAddress(InetAddress.ofLiteral(address)).build()) {
      return call(http, method, path, body, headers);
    }
  }

  private Response call(
      HttpClient http, String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(orchestrator.address().resolve(path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (settings.token() != null) {
      request.header("Authorization", "Bearer " + settings.token());
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Response(
          response.statusCode(),
          response.headers().firstValue("Content-Type").orElse(""),
          response.body(),
          response);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    orchestrator.close();
    relays.forEach(FakeRelay::close);
  }
}
