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
import io.cascade.api.orchestrator.TransferProgress;
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
  public final List<TransferProgress> progressed = new CopyOnWriteArrayList<>();
  public volatile int transfersStatus = 204;
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
  RelayLimits limits =
      RelayLimits.builder()
          .maxStreams(100)
          .memoryBytes(64L << 20)
          .streamBytes(4L << 20)
          .drainSeconds(30)
          .build();
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
            RelayLimits.builder()
                .maxStreams(Objects.requireNonNullElse(wanted.maxStreams(), limits.maxStreams()))
                .memoryBytes(Objects.requireNonNullElse(wanted.memoryBytes(), limits.memoryBytes()))
                .streamBytes(Objects.requireNonNullElse(wanted.streamBytes(), limits.streamBytes()))
                .drainSeconds(
                    Objects.requireNonNullElse(wanted.drainSeconds(), limits.drainSeconds()))
                .build();
        send(exchange, 200, limits);
      }
      case "GET statistics" -> send(exchange, 200, statistics(++looks > 1, fallenBack));
      case "GET links" -> send(exchange, 200, new LinkList(List.of(link())));
      case "POST links/r1/r2/trains" -> {
        trains.add(Json.strict().readValue(body, LinkTrainRequest.class));
        send(
            exchange,
            200,
            LinkTrain.builder()
                .from("r1")
                .to("r2")
                .packets(1_000)
                .packetBytes(1_472)
                .seconds(1.2)
                .sentBitsPerSecond(9.98e6)
                .minRttMillis(20.0)
                .there(
                    TrainDirection.builder()
                        .sent(1_000)
                        .lost(4)
                        .bitsPerSecond(9.9e6)
                        .delayMedianMillis(0.1)
                        .delayHighMillis(0.4)
                        .stoodInQueue(false)
                        .link(link())
                        .build())
                .back(
                    TrainDirection.builder()
                        .sent(996)
                        .lost(90)
                        .bitsPerSecond(9.1e6)
                        .delayMedianMillis(12.0)
                        .delayHighMillis(30.0)
                        .stoodInQueue(true)
                        .link(link())
                        .build())
                .endedBy("PACKETS")
                .build());
      }
      case "POST links/r1/r2/tests" ->
          send(
              exchange,
              200,
              LinkTest.builder()
                  .from("r1")
                  .to("r2")
                  .bytes(4_700_000L)
                  .seconds(4.0)
                  .bitsPerSecond(9.4e6)
                  .steadyBitsPerSecond(9.2e6)
                  .sentSegments(3_300L)
                  .retransmittedSegments(6L)
                  .minRttMillis(20.0)
                  .loadedRttMillis(20.5)
                  .congestionControl("cubic")
                  .limitedBy("NETWORK")
                  .endedBy("SECONDS")
                  .link(link())
                  .build());
      case "POST relays/r1/client-tests" ->
          send(
              exchange,
              409,
              Problem.builder()
                  .type("urn:cascade:problem:throughput-test-refused")
                  .title("A relay accepts no throughput test now")
                  .status(409)
                  .detail("r1: streams of this relay move more than 1 Mbit/s")
                  .build());
      case "GET links/r1/r2/history" ->
          send(
              exchange,
              200,
              new LinkHistory(
                  "r1",
                  "r2",
                  List.of(
                      LinkSpan.builder()
                          .start(NOW)
                          .probesSent(1_000L)
                          .probesLost(7L)
                          .minRttMillis(18.5)
                          .smoothedRttMillis(19.0)
                          .build())));
      case "GET advice" ->
          send(exchange, 200, advice(String.valueOf(exchange.getRequestURI().getQuery())));
      case "GET corrections" ->
          send(
              exchange,
              200,
              new CorrectionList(
                  List.of(
                      LinkCorrection.builder()
                          .from("r1")
                          .to("r2")
                          .congestionControl("cubic")
                          .factor(0.82)
                          .ratio(0.7)
                          .streams(14L)
                          .updatedAt(NOW)
                          .build())));
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
      case "PUT transfers/ID" -> {
        progressed.add(Json.strict().readValue(body, TransferProgress.class));
        exchange.sendResponseHeaders(transfersStatus, -1);
      }
      case "GET chains" -> send(exchange, 200, new ChainList(List.copyOf(chains.values())));
      case "POST chains" -> {
        ChainRequest request = Json.strict().readValue(body, ChainRequest.class);
        PlanRequest question = request.question();
        if (!hasStored && question != null && Boolean.TRUE.equals(question.stored())) {
          String nothing = "nothing is stored of the way";
          send(
              exchange,
              409,
              Problem.builder()
                  .type("urn:x")
                  .title("No route")
                  .status(409)
                  .detail(nothing)
                  .build());
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
    return Relay.builder()
        .name(name)
        .site("berlin")
        .instance(new UUID(0, 1))
        .version("0.1.0")
        .control(new Endpoint("127.0.0.1", 1))
        .hop(new Endpoint("127.0.0.1", hop.getLocalPort()))
        .status(draining.contains(name) ? RelayStatus.DRAINING : RelayStatus.UP)
        .registeredAt(NOW)
        .lastSeenAt(NOW)
        .restarts(0)
        .runningStreams(0L)
        .heldBytes(0L)
        .capacityBitsPerSecond(100_000_000L)
        .congestionControl("cubic")
        .congestionControls(List.of("cubic"))
        .hopSecurity(HopSecurity.OPTIONAL)
        .limits(limits)
        .sendBufferBytes(4_194_304L)
        .receiveBufferBytes(6_291_456L)
        .rendezvous(rendezvous)
        .build();
  }

  /** What one slow hop looks like; the first look has nothing to compare itself with. */
  private static Statistics statistics(boolean rates, @Nullable UUID fallenBack) {
    return Statistics.builder()
        .at(NOW)
        .overSeconds(rates ? 2.0 : null)
        .relays(
            List.of(
                RelayStatistics.builder()
                    .relay("r1")
                    .site("berlin")
                    .status(RelayStatus.UP)
                    .answered(true)
                    .runningStreams(1L)
                    .maxStreams(100)
                    .heldBytes(1L << 20)
                    .memoryBytes(64L << 20)
                    .chains(1)
                    .forwardBitsPerSecond(rates ? 8e6 : null)
                    .backwardBitsPerSecond(rates ? 0.0 : null)
                    .build()))
        .chains(
            List.of(
                ChainStatistics.builder()
                    .chainId(fallenBack == null ? new UUID(0, 3) : fallenBack)
                    .name("nightly")
                    .state(ChainState.READY)
                    .destination("127.0.0.1:9")
                    .relays(List.of("r1"))
                    .runningStreams(1L)
                    .openedStreams(4L)
                    .completedStreams(2L)
                    .failedStreams(1L)
                    .heldBytes(1L << 20)
                    .forwardBitsPerSecond(rates ? 8e6 : null)
                    .backwardBitsPerSecond(rates ? 0.0 : null)
                    .predictedBitsPerSecond(9e6)
                    .bottleneck(rates ? "the hop from r1 to destination" : null)
                    .hops(
                        List.of(
                            HopStatistics.builder()
                                .from("source")
                                .to("r1")
                                .bottleneck(false)
                                .predictedBitsPerSecond(2e7)
                                .connections(1L)
                                .meanRttMillis(10.0)
                                .minRttMillis(9.0)
                                .unackedSegments(3L)
                                .congestionWindowSegments(10L)
                                .notSentBytes(0L)
                                .sentSegments(900L)
                                .retransmittedSegments(0L)
                                .retransmittedShare(0.0)
                                .hop(new HopAddress(0, 0, 0))
                                .build(),
                            HopStatistics.builder()
                                .from("r1")
                                .to("destination")
                                .bottleneck(true)
                                .predictedBitsPerSecond(9e6)
                                .connections(1L)
                                .meanRttMillis(20.0)
                                .minRttMillis(19.0)
                                .unackedSegments(30L)
                                .congestionWindowSegments(40L)
                                .notSentBytes(5L << 10)
                                .sentSegments(1_000L)
                                .retransmittedSegments(10L)
                                .retransmittedShare(0.01)
                                .heldBytes(1L << 20)
                                .forwardStalls(new StallShares(0.1, 0.9, 0.0))
                                .backwardStalls(new StallShares(1.0, 0.0, 0.0))
                                .hop(new HopAddress(0, 0, 1))
                                .coded(
                                    fallenBack == null
                                        ? coded(CodedCarrier.UDP, null)
                                        : coded(
                                            CodedCarrier.PLAIN_TCP, "the fake takes no session"))
                                .build()))
                    .build()))
        .build();
  }

  private static CodedHop coded(CodedCarrier carrier, @Nullable String why) {
    return CodedHop.builder()
        .hop(new HopAddress(0, 0, 1))
        .carrier(carrier)
        .why(why)
        .sessions(1)
        .streams(2)
        .lossShare(0.05)
        .baseLossShare(0.04)
        .mode("DELAY")
        .roundTripMillis(20.0)
        .sourceSymbols(1_000L)
        .repairSymbols(60L)
        .capacityBitsPerSecond(9e6)
        .build();
  }

  private static AdviceList advice(String query) {
    return new AdviceList(
        query.contains("2001")
            ? List.of()
            : List.of(
                DestinationAdvice.builder()
                    .destination("db.example.org:5432")
                    .relay("edge")
                    .streams(12L)
                    .bytes(3_328_599_654L)
                    .lastSeenAt(NOW)
                    .directBitsPerSecond(6.5e6)
                    .relayedBitsPerSecond(26.1e6)
                    .via(List.of("den", "sea"))
                    .advice(
                        "through den, sea: about 4 times as fast as direct (likely 3 to 5), 97 % sure")
                    .build(),
                DestinationAdvice.builder()
                    .destination("web.example.org:443")
                    .relay("edge")
                    .streams(1L)
                    .bytes(100L)
                    .lastSeenAt(NOW)
                    .advice("direct is as good")
                    .build()));
  }

  private static Link link() {
    return Link.builder()
        .from("r1")
        .to("r2")
        .minRttMillis(12.5)
        .smoothedRttMillis(13.0)
        .jitterMillis(0.4)
        .probesSent(1000L)
        .probesLost(3L)
        .lossRateLow(0.0006)
        .lossRateHigh(0.0088)
        .capacityBitsPerSecond(9_980_000L)
        .updatedAt(NOW)
        .stale(false)
        .capacityKind(CapacityKind.AT_LEAST)
        .lossRate(0.0035)
        .evidence(
            List.of(
                LinkEvidence.builder()
                    .source(EvidenceSource.PROBE)
                    .count(1_000L)
                    .sent(1_000.0)
                    .lost(3.0)
                    .updatedAt(NOW)
                    .ageSeconds(2.0)
                    .build(),
                LinkEvidence.builder()
                    .source(EvidenceSource.TEST)
                    .count(1L)
                    .sent(3_300.0)
                    .lost(6.0)
                    .bitsPerSecond(9.4e6)
                    .congestionControl("cubic")
                    .updatedAt(NOW)
                    .ageSeconds(300.0)
                    .build()))
        .build();
  }

  Plan plan(String destination, @Nullable Long bytes) {
    HopPrediction hop =
        HopPrediction.builder()
            .from(hopTransport == null ? "source" : "r1")
            .to("destination")
            .rttMillis(64.0)
            .probesSent(1000L)
            .probesLost(1L)
            .lossRate(0.001)
            .congestionControl("reno")
            .bitsPerSecond(7e6)
            .bottleneck(true)
            .basis("mathis")
            .transport(hopTransport)
            .build();
    List<Candidate> candidates = new ArrayList<>();
    if (!routes.isEmpty()) {
      candidates.add(together());
    }
    candidates.addAll(
        List.of(
            Candidate.builder()
                .kind(CandidateKind.DIRECT)
                .relays(List.of())
                .chosen(decision == Decision.DIRECT)
                .secondsLow(1.0)
                .seconds(2.0)
                .secondsHigh(3.0)
                .bitsPerSecondLow(6e6)
                .bitsPerSecond(7e6)
                .bitsPerSecondHigh(8e6)
                .setupSeconds(0.1)
                .hops(List.of(hop))
                .basis("mathis")
                .evidence(RateEvidence.PREDICTED)
                .build(),
            Candidate.builder()
                .kind(CandidateKind.CASCADE)
                .relays(List.of("r1", "r2"))
                .chosen(decision == Decision.CASCADE)
                .secondsLow(0.5)
                .seconds(0.6)
                .secondsHigh(0.7)
                .bitsPerSecondLow(2e7)
                .bitsPerSecond(2.5e7)
                .bitsPerSecondHigh(3e7)
                .setupSeconds(0.2)
                .hops(List.of(hop, hop, hop))
                .basis("mathis")
                .pricePerGib(0.04)
                .relayBufferBytes(List.of(65536.0, 65536.0))
                .evidence(RateEvidence.PREDICTED)
                .build()));
    return Plan.builder()
        .destination(destination)
        .bytes(bytes)
        .decision(decision)
        .summary("The fake decides.")
        .relays(cascade.isEmpty() ? null : cascade)
        .plannedAt(NOW)
        .candidates(candidates)
        .probabilityCascadeWins(0.9)
        .why("Directly 7.00 Mbit/s.")
        .confidence("Relays are faster with a probability of 90.0 %.")
        .notes(List.of("The fake measured nothing."))
        .evidenceAgeSeconds(120.0)
        .build();
  }

  private Candidate together() {
    return Candidate.builder()
        .kind(CandidateKind.MULTIPATH)
        .connections(routes.size())
        .relays(List.of())
        .chosen(false)
        .seconds(0.4)
        .bitsPerSecond(5e7)
        .hops(List.of())
        .basis("fake")
        .shares(
            routes.stream()
                .map(relays ->
                    RouteShare.builder()
                        .relays(relays)
                        .share(1.0 / routes.size())
                        .bitsPerSecond(5e7 / routes.size())
                        .hops(List.of())
                        .build())
                .toList())
        .evidence(RateEvidence.PREDICTED)
        .build();
  }

  private Chain chain(ChainRequest request) throws IOException {
    HostPort elsewhere = forwardTo;
    ServerSocket ingress =
        forward(elsewhere == null ? request.destination() : elsewhere.toString());
    List<String> relays =
        request.via() == null || request.via().isEmpty()
            ? Stream.of("r1", "r2").filter(relay -> !draining.contains(relay)).toList()
            : request.via();
    return Chain.builder()
        .id(UUID.randomUUID())
        .name(request.name())
        .state(ChainState.READY)
        .destination(request.destination())
        .relays(relays)
        .ingress(new Endpoint("127.0.0.1", ingress.getLocalPort()))
        .options(request.options())
        .leaseSeconds(60)
        .setup(
            SetupReport.builder()
                .mode(SetupMode.PARALLEL)
                .attempt(1)
                .elapsedMillis(12.0)
                .predictedMillis(10.0)
                .sequentialMillis(30.0)
                .relays(
                    relays.stream()
                        .map(name ->
                            RelaySetup.builder()
                                .relay(name)
                                .startedAfterMillis(0.1)
                                .elapsedMillis(11.0)
                                .controlRttMillis(7.0)
                                .predictedMillis(10.5)
                                .resolveMillis(0.1)
                                .listenMillis(0.2)
                                .warmMillis(5.0)
                                .relayMillis(6.0)
                                .build())
                        .toList())
                .build())
        .plan(plan(request.destination(), request.bytes()))
        .totals(
            List.of(
                RelayTotals.builder()
                    .relay("r1")
                    .running(0L)
                    .opened(1L)
                    .completed(1L)
                    .failed(0L)
                    .forwardBytes(10L)
                    .backwardBytes(5L)
                    .warmConnections(4)
                    .failures(Map.of())
                    .build()))
        .createdAt(NOW)
        .updatedAt(NOW)
        .build();
  }

  private static Chain closed(@Nullable Chain chain) {
    if (chain == null) {
      throw new IllegalStateException("no such chain");
    }
    return Chain.builder()
        .id(chain.id())
        .name(chain.name())
        .state(ChainState.CLOSED)
        .destination(chain.destination())
        .relays(chain.relays())
        .ingress(chain.ingress())
        .options(chain.options())
        .question(chain.question())
        .leaseSeconds(chain.leaseSeconds())
        .setup(chain.setup())
        .plan(chain.plan())
        .totals(chain.totals())
        .createdAt(chain.createdAt())
        .updatedAt(chain.updatedAt())
        .trial(chain.trial())
        .build();
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
    return ChainStream.builder()
        .streamId(new UUID(0, 7))
        .state(state)
        .client("127.0.0.1:5")
        .openedAt(NOW)
        .durationMillis(12.0)
        .reason(reason)
        .relays(
            List.of(
                StreamAtRelay.builder()
                    .relay(relay)
                    .state(state)
                    .forwardBytesIn(bytes)
                    .forwardBytesOut(bytes)
                    .backwardBytesIn(4L)
                    .backwardBytesOut(4L)
                    .peakHeldBytes(9L)
                    .firstByteMillis(1.0)
                    .warm(true)
                    .reason(reason)
                    .detail(detail)
                    .build()))
        .build();
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
