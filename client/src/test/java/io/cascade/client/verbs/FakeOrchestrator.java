package io.cascade.client.verbs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.AdviceList;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainList;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.ChainStatistics;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.CorrectionList;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.DestinationAdvice;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkCorrection;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.LinkSpan;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Problem;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.api.orchestrator.RelaySetup;
import io.cascade.api.orchestrator.RelayStatistics;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.api.orchestrator.StallShares;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.api.orchestrator.TrainDirection;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.api.orchestrator.TransportChoice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Speaks the orchestrator's contract from memory. Its chains lead through a forwarder in this
 * process that only copies bytes.
 */
public final class FakeOrchestrator implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  public final Map<UUID, Chain> chains = new LinkedHashMap<>();
  final List<ChainRequest> opened = new CopyOnWriteArrayList<>();
  final List<PlanRequest> planned = new CopyOnWriteArrayList<>();
  final List<LinkTrainRequest> trains = new CopyOnWriteArrayList<>();
  public final List<TransferReport> reported = new CopyOnWriteArrayList<>();
  volatile int transfersStatus = 204;
  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<String> tokens = new CopyOnWriteArrayList<>();
  public Decision decision = Decision.DIRECT;

  /** Relays of the best cascade; empty where no relay reaches the destination. */
  List<String> cascade = List.of("r1", "r2");

  /** Whether chains are opened by what is stored; there is nothing stored otherwise. */
  volatile boolean hasStored;

  /** Holds plans back until it is counted down. */
  public volatile CountDownLatch plans = new CountDownLatch(0);

  /** Whether a chain that was opened counts it down. */
  volatile boolean chainsReleasePlans;

  /** Routes of a plan of several paths; none where they are no better than one. */
  List<List<String>> routes = List.of();

  /** What others called things. */
  String relayName = "r1";

  /** The address to which chains lead in place of their destination. */
  public volatile @Nullable HostPort forwardTo;

  /** Why r2 cannot connect to destinations; null where it can. */
  volatile @Nullable String refusal;

  /** Whether destinations reset the streams that reach them. */
  volatile boolean destinationResets;

  /** Whether coded hops of chains that are opened run over plain TCP. */
  volatile boolean fallsBack;

  private @Nullable UUID fallenBack;

  /** Of the hops of plans, which then lead from r1; null where nothing is said of it. */
  volatile @Nullable TransportChoice hopTransport;

  /** Whether chains are closed by the time that somebody looks. */
  volatile boolean chainsVanish;

  /** Relays that drain, through which no new chain leads. */
  volatile Set<String> draining = Set.of();

  /** Where its relays join two ends; null where they do not. */
  volatile @Nullable Endpoint rendezvous = new Endpoint("127.0.0.1", 7_414);

  @Nullable Problem problem;
  RelayLimits limits = new RelayLimits(100, 64L << 20, 4L << 20, 30);
  private int looks;

  private final HttpServer server;
  private final ServerSocket hop;
  private final List<ServerSocket> forwarders = new ArrayList<>();

  public FakeOrchestrator() throws IOException {
    hop = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().endsWith("/plans")) {
            awaitPlans();
          }
          answer(exchange);
        });
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void awaitPlans() {
    try {
      plans.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    calls.add(call);
    tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (call.equals("GET /api/v1/events")) {
      exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      exchange
          .getResponseBody()
          .write(
              ("id: 1\ndata: {\"id\":1,\"at\":\"2026-01-01T00:00:00Z\","
                      + "\"type\":\"RELAY_REGISTERED\",\"relay\":\"r1\",\"message\":\"r1 came\"}\n\n")
                  .getBytes(StandardCharsets.UTF_8));
      exchange.close();
      return;
    }
    Problem refusal = problem;
    if (refusal != null) {
      send(exchange, refusal.status(), refusal);
      return;
    }
    String path = exchange.getRequestURI().getPath().substring("/api/v1/".length());
    switch (exchange.getRequestMethod() + " " + path.replaceAll("/[0-9a-f-]{36}", "/ID")) {
      case "GET relays" ->
          send(exchange, 200, new RelayList(List.of(relay(relayName), relay("r2"))));
      case "PUT relays/r1/draining" -> {
        draining = Set.of("r1");
        send(exchange, 200, relay("r1"));
      }
      case "DELETE relays/r1" -> exchange.sendResponseHeaders(204, -1);
      case "DELETE relays/r1/draining" -> {
        draining = Set.of();
        send(exchange, 200, relay("r1"));
      }
      case "GET relays/r1/limits" -> send(exchange, 200, limits);
      case "PATCH relays/r1/limits" -> {
        RelayLimits wanted = Json.strict().readValue(body, RelayLimits.class);
        limits =
            new RelayLimits(
                Objects.requireNonNullElse(wanted.maxStreams(), limits.maxStreams()),
                Objects.requireNonNullElse(wanted.memoryBytes(), limits.memoryBytes()),
                Objects.requireNonNullElse(wanted.streamBytes(), limits.streamBytes()),
                Objects.requireNonNullElse(wanted.drainSeconds(), limits.drainSeconds()));
        send(exchange, 200, limits);
      }
      case "GET statistics" -> send(exchange, 200, statistics(++looks > 1, fallenBack));
      case "GET links" -> send(exchange, 200, new LinkList(List.of(link())));
      case "POST links/r1/r2/trains" -> {
        trains.add(Json.strict().readValue(body, LinkTrainRequest.class));
        send(
            exchange,
            200,
            new LinkTrain(
                "r1",
                "r2",
                1_000,
                1_472,
                1.2,
                9.98e6,
                20.0,
                new TrainDirection(1_000, 4, 9.9e6, 0.1, 0.4, false, link()),
                new TrainDirection(996, 90, 9.1e6, 12.0, 30.0, true, link()),
                "PACKETS"));
      }
      case "POST links/r1/r2/tests" ->
          send(
              exchange,
              200,
              new LinkTest(
                  "r1",
                  "r2",
                  4_700_000L,
                  4.0,
                  9.4e6,
                  9.2e6,
                  3_300L,
                  6L,
                  20.0,
                  20.5,
                  "cubic",
                  "NETWORK",
                  "SECONDS",
                  link()));
      case "POST relays/r1/client-tests" ->
          send(
              exchange,
              409,
              new Problem(
                  "urn:cascade:problem:throughput-test-refused",
                  "A relay takes part in no throughput test now",
                  409,
                  "r1: streams of this relay move more than 1 Mbit/s",
                  null,
                  null));
      case "GET links/r1/r2/history" ->
          send(
              exchange,
              200,
              new LinkHistory("r1", "r2", List.of(new LinkSpan(NOW, 1_000L, 7L, 18.5, 19.0))));
      case "GET advice" ->
          send(exchange, 200, advice(String.valueOf(exchange.getRequestURI().getQuery())));
      case "GET corrections" ->
          send(
              exchange,
              200,
              new CorrectionList(
                  List.of(new LinkCorrection("r1", "r2", "cubic", 0.82, 0.7, 14L, NOW))));
      case "DELETE corrections", "DELETE corrections/r1/r2" ->
          exchange.sendResponseHeaders(204, -1);
      case "POST plans" -> {
        PlanRequest request = Json.strict().readValue(body, PlanRequest.class);
        planned.add(request);
        send(exchange, 200, plan(request.destination(), request.bytes()));
      }
      case "POST transfers" -> {
        reported.add(Json.strict().readValue(body, TransferReport.class));
        exchange.sendResponseHeaders(transfersStatus, -1);
      }
      case "GET chains" -> send(exchange, 200, new ChainList(List.copyOf(chains.values())));
      case "POST chains" -> {
        ChainRequest request = Json.strict().readValue(body, ChainRequest.class);
        PlanRequest question = request.question();
        if (!hasStored && question != null && Boolean.TRUE.equals(question.stored())) {
          String nothing = "nothing is stored of the way";
          send(exchange, 409, new Problem("urn:x", "No route", 409, nothing, null, null));
          return;
        }
        opened.add(request);
        Chain chain = chain(request);
        chains.put(chain.id(), chain);
        fallenBack = fallsBack ? chain.id() : null;
        send(exchange, 201, chain);
        if (chainsReleasePlans) {
          plans.countDown();
        }
      }
      case "POST chains/ID/renewal" -> exchange.sendResponseHeaders(204, -1);
      case "GET chains/ID" -> {
        Chain chain = chains.get(id(path));
        send(exchange, 200, chainsVanish ? closed(chain) : chain);
      }
      case "DELETE chains/ID" -> {
        Chain closed = closed(chains.get(id(path)));
        chains.put(closed.id(), closed);
        send(exchange, 200, closed);
      }
      case "GET chains/ID/streams" -> send(exchange, 200, streams());
      default -> exchange.sendResponseHeaders(404, -1);
    }
    exchange.close();
  }

  private static UUID id(String path) {
    return UUID.fromString(path.substring("chains/".length(), "chains/".length() + 36));
  }

  private static void send(HttpExchange exchange, int status, @Nullable Object document)
      throws IOException {
    byte[] body = Json.strict().writeValueAsBytes(document);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private Relay relay(String name) {
    return new Relay(
        name,
        "berlin",
        new UUID(0, 1),
        "0.1.0",
        new Endpoint("127.0.0.1", 1),
        new Endpoint("127.0.0.1", hop.getLocalPort()),
        draining.contains(name) ? RelayStatus.DRAINING : RelayStatus.UP,
        NOW,
        NOW,
        0,
        0L,
        0L,
        100_000_000L,
        null,
        "cubic",
        List.of("cubic"),
        null,
        HopSecurity.OPTIONAL,
        limits,
        4_194_304L,
        6_291_456L,
        rendezvous);
  }

  /** What one slow hop looks like; the first look has nothing to compare itself with. */
  private static Statistics statistics(boolean rates, @Nullable UUID fallenBack) {
    return new Statistics(
        NOW,
        rates ? 2.0 : null,
        List.of(
            new RelayStatistics(
                "r1",
                "berlin",
                RelayStatus.UP,
                true,
                1L,
                100,
                1L << 20,
                64L << 20,
                1,
                rates ? 8e6 : null,
                rates ? 0.0 : null)),
        List.of(
            new ChainStatistics(
                fallenBack == null ? new UUID(0, 3) : fallenBack,
                "nightly",
                ChainState.READY,
                "127.0.0.1:9",
                List.of("r1"),
                1L,
                4L,
                2L,
                1L,
                1L << 20,
                rates ? 8e6 : null,
                rates ? 0.0 : null,
                9e6,
                rates ? "the hop from r1 to destination" : null,
                List.of(
                    new HopStatistics(
                        "source",
                        "r1",
                        false,
                        2e7,
                        1L,
                        10.0,
                        9.0,
                        3L,
                        10L,
                        0L,
                        900L,
                        0L,
                        0.0,
                        null,
                        null,
                        null,
                        new HopAddress(0, 0, 0),
                        null,
                        null,
                        null,
                        null),
                    new HopStatistics(
                        "r1",
                        "destination",
                        true,
                        9e6,
                        1L,
                        20.0,
                        19.0,
                        30L,
                        40L,
                        5L << 10,
                        1_000L,
                        10L,
                        0.01,
                        1L << 20,
                        new StallShares(0.1, 0.9, 0.0),
                        new StallShares(1.0, 0.0, 0.0),
                        new HopAddress(0, 0, 1),
                        null,
                        null,
                        null,
                        fallenBack == null
                            ? coded(CodedCarrier.UDP, null)
                            : coded(CodedCarrier.PLAIN_TCP, "the fake takes no session"))))));
  }

  private static CodedHop coded(CodedCarrier carrier, @Nullable String why) {
    return new CodedHop(
        new HopAddress(0, 0, 1), carrier, why, 1, 2, 0.05, 0.04, "DELAY", 20.0, 1_000L, 60L, 9e6);
  }

  private static AdviceList advice(String query) {
    return new AdviceList(
        query.contains("2001")
            ? List.of()
            : List.of(
                new DestinationAdvice(
                    "db.example.org:5432",
                    "edge",
                    12L,
                    3_328_599_654L,
                    NOW,
                    6.5e6,
                    26.1e6,
                    List.of("den", "sea"),
                    "through den, sea: about 4 times as fast as direct (likely 3 to 5), 97 % sure",
                    null,
                    null),
                new DestinationAdvice(
                    "web.example.org:443",
                    "edge",
                    1L,
                    100L,
                    NOW,
                    null,
                    null,
                    null,
                    "direct is as good",
                    null,
                    null)));
  }

  private static Link link() {
    return new Link(
        "r1",
        "r2",
        12.5,
        13.0,
        0.4,
        1000L,
        3L,
        0.0006,
        0.0088,
        9_980_000L,
        NOW,
        false,
        CapacityKind.AT_LEAST,
        0.0035,
        List.of(
            new LinkEvidence(EvidenceSource.PROBE, 1_000L, 1_000.0, 3.0, null, null, NOW, 2.0),
            new LinkEvidence(EvidenceSource.TEST, 1L, 3_300.0, 6.0, 9.4e6, "cubic", NOW, 300.0)));
  }

  Plan plan(String destination, @Nullable Long bytes) {
    HopPrediction hop =
        new HopPrediction(
            hopTransport == null ? "source" : "r1",
            "destination",
            64.0,
            1000L,
            1L,
            0.001,
            null,
            "reno",
            7e6,
            true,
            "mathis",
            null,
            null,
            hopTransport,
            null,
            null);
    List<Candidate> candidates = new ArrayList<>();
    if (!routes.isEmpty()) {
      candidates.add(together());
    }
    candidates.addAll(
        List.of(
            new Candidate(
                CandidateKind.DIRECT,
                null,
                List.of(),
                decision == Decision.DIRECT,
                1.0,
                2.0,
                3.0,
                6e6,
                7e6,
                8e6,
                0.1,
                List.of(hop),
                "mathis",
                null,
                null,
                null,
                RateEvidence.PREDICTED),
            new Candidate(
                CandidateKind.CASCADE,
                null,
                List.of("r1", "r2"),
                decision == Decision.CASCADE,
                0.5,
                0.6,
                0.7,
                2e7,
                2.5e7,
                3e7,
                0.2,
                List.of(hop, hop, hop),
                "mathis",
                0.04,
                List.of(65536.0, 65536.0),
                null,
                RateEvidence.PREDICTED)));
    return new Plan(
        destination,
        bytes,
        decision,
        "The fake decides.",
        cascade.isEmpty() ? null : cascade,
        NOW,
        candidates,
        0.9,
        null,
        null,
        null,
        "Directly 7.00 Mbit/s.",
        "Relays are faster with a probability of 90.0 %.",
        List.of("The fake measured nothing."),
        120.0);
  }

  private Candidate together() {
    return new Candidate(
        CandidateKind.MULTIPATH,
        routes.size(),
        List.of(),
        false,
        null,
        0.4,
        null,
        null,
        5e7,
        null,
        null,
        List.of(),
        "fake",
        null,
        null,
        routes.stream()
            .map(relays ->
                new RouteShare(
                    relays, null, 1.0 / routes.size(), 5e7 / routes.size(), null, List.of()))
            .toList(),
        RateEvidence.PREDICTED);
  }

  private Chain chain(ChainRequest request) throws IOException {
    HostPort elsewhere = forwardTo;
    ServerSocket ingress =
        forward(elsewhere == null ? request.destination() : elsewhere.toString());
    List<String> relays =
        request.via() == null || request.via().isEmpty()
            ? Stream.of("r1", "r2").filter(relay -> !draining.contains(relay)).toList()
            : request.via();
    return new Chain(
        UUID.randomUUID(),
        request.name(),
        ChainState.READY,
        null,
        request.destination(),
        relays,
        null,
        new Endpoint("127.0.0.1", ingress.getLocalPort()),
        request.options(),
        null,
        60,
        new SetupReport(
            SetupMode.PARALLEL,
            1,
            12.0,
            10.0,
            30.0,
            relays.stream()
                .map(name -> new RelaySetup(name, 0.1, 11.0, 7.0, 10.5, 0.1, 0.2, 5.0, 6.0, null))
                .toList()),
        plan(request.destination(), request.bytes()),
        List.of(new RelayTotals("r1", 0L, 1L, 1L, 0L, 10L, 5L, 4, Map.of(), null, null, null)),
        NOW,
        NOW,
        null,
        null);
  }

  private static Chain closed(@Nullable Chain chain) {
    if (chain == null) {
      throw new IllegalStateException("no such chain");
    }
    return new Chain(
        chain.id(),
        chain.name(),
        ChainState.CLOSED,
        null,
        chain.destination(),
        chain.relays(),
        null,
        chain.ingress(),
        chain.options(),
        chain.question(),
        chain.leaseSeconds(),
        chain.setup(),
        chain.plan(),
        chain.totals(),
        chain.createdAt(),
        chain.updatedAt(),
        chain.trial(),
        null);
  }

  private ChainStreams streams() {
    String why = refusal;
    if (destinationResets) {
      return new ChainStreams(
          List.of(stream("FAILED", "r2", 9L, "onward-reset", "Connection reset")), List.of());
    }
    return new ChainStreams(
        List.of(
            why == null
                ? stream("COMPLETED", "r1", 9L, "completed", null)
                : stream("FAILED", "r2", 0L, "connect-refused", why)),
        List.of());
  }

  private static ChainStream stream(
      String state, String relay, long bytes, String reason, @Nullable String detail) {
    return new ChainStream(
        new UUID(0, 7),
        state,
        "127.0.0.1:5",
        NOW,
        12.0,
        reason,
        List.of(
            new StreamAtRelay(
                relay, state, bytes, bytes, 4L, 4L, 9L, 1.0, true, reason, detail, null, null,
                null)));
  }

  /** A port whose connections are copied to the destination, both ways, or reset. */
  private ServerSocket forward(String destination) throws IOException {
    ServerSocket ingress = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    forwarders.add(ingress);
    int port = Integer.parseInt(destination.substring(destination.lastIndexOf(':') + 1));
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              Socket client = ingress.accept();
              try {
                Socket onward = new Socket("127.0.0.1", port);
                copy(client, onward);
                copy(onward, client);
              } catch (IOException e) {
                client.setSoLinger(true, 0); // As a chain does whose destination refuses.
                client.close();
              }
            }
          } catch (IOException e) {
            // Closed with the fake.
          }
        });
    return ingress;
  }

  private static void copy(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
          } catch (IOException e) {
            reset(from);
            reset(to);
          }
        });
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  @Override
  public void close() throws IOException {
    server.stop(0);
    hop.close();
    for (ServerSocket forwarder : forwarders) {
      forwarder.close();
    }
  }
}
