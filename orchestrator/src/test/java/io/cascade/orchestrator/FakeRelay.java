package io.cascade.orchestrator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PartList;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.Problem;
import io.cascade.api.relay.ProcessTotals;
import io.cascade.api.relay.SetupTimings;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamTotals;
import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputLimit;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.testing.ReservedPort;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A relay as far as the orchestrator can tell: it registers, beats, and speaks the relay-control
 * contract on a real socket. It carries nothing, and does badly on demand.
 */
final class FakeRelay implements AutoCloseable {
  /** Stands for the hop of whatever part it holds. */
  static final HopAddress NOWHERE = new HopAddress(15, 0, 0);

  private static final System.Logger LOG = System.getLogger(FakeRelay.class.getName());

  private static final Validator VALID = Validation.buildDefaultValidatorFactory().getValidator();
  private static final int BEAT_MILLIS = 150;

  private final String name;
  private final OrchestratorClient orchestrator;
  private final @Nullable String token;

  /** An orchestrator goes on calling a relay that has died: no other relay may get its port. */
  private final ReservedPort port = ReservedPort.take();

  private HttpServer server;
  private UUID instance = UUID.randomUUID();
  private RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
  private final int hopPort;
  private String hopHost = "127.0.0.1";
  private final Map<UUID, ChainPart> parts = new ConcurrentHashMap<>();
  private final Map<UUID, Integer> ports = new ConcurrentHashMap<>();
  private @Nullable ScheduledExecutorService heart;
  private volatile boolean unregistered;

  /** Everything that was asked, such as {@code PUT} or {@code DELETE}, in order. */
  final List<Call> calls = new CopyOnWriteArrayList<>();

  final List<ProbeRequest> probes = new CopyOnWriteArrayList<>();
  final List<LeaseRenewal> renewals = new CopyOnWriteArrayList<>();

  /** Parts that it did not take, because a later one was there. */
  final List<ChainPart> stale = new CopyOnWriteArrayList<>();

  /** Chains whose lease it says has run out, whoever renews it. */
  final Set<UUID> unattended = ConcurrentHashMap.newKeySet();

  /** The version of its peers that the next heartbeats name. */
  volatile @Nullable String peersVersion;

  /** What the next heartbeats report. */
  final List<LinkMeasurement> links = new CopyOnWriteArrayList<>();

  /** Peers whose probes stay unanswered, whatever {@link #links} says, once they fell silent. */
  final List<FakeRelay> neighbours = new CopyOnWriteArrayList<>();

  private volatile boolean silent;

  /** What its next heartbeats say of direct streams. */
  final List<DestinationUse> destinations = new CopyOnWriteArrayList<>();

  volatile List<StreamReport> streams = List.of();
  volatile Limits limits = new Limits(1_000, 64L << 20, 4L << 20, 30);

  /** What it says of its process; a relay of an older version says nothing. */
  volatile @Nullable ProcessTotals process;

  /** What it counts for every part that it holds, with the part's hops as addresses. */
  volatile StreamTotals totals =
      new StreamTotals(
          1L,
          3L,
          1L,
          1L,
          1_000L,
          2_000L,
          Map.of("peer-reset", 1L),
          512L,
          new Stalls(1.0, 2.0, 0.5),
          new Stalls(3.0, 0.25, 0.0),
          List.of(
              new HopConnections(
                  NOWHERE, 1L, 12.5, 10.0, 20L, 5L, 4_096L, 1_000L, 3L, null, null, null, null,
                  null)),
          List.of(
              new HopConnections(
                  NOWHERE, 1L, 25.5, 20.0, 40L, 6L, 8_192L, 2_000L, 7L, null, null, null, null,
                  null)),
          null);

  volatile String ingressHost = "127.0.0.1";
  volatile @Nullable Long capacityBitsPerSecond;
  volatile @Nullable String congestionControl;
  volatile @Nullable List<String> congestionControls;
  volatile @Nullable Long sendBufferBytes;
  volatile @Nullable Long receiveBufferBytes;
  private volatile boolean isControlReachable = true;
  volatile boolean offersCoded;

  /** Otherwise it is one of a version that takes streams of everybody. */
  volatile boolean knowsSources = true;

  volatile HopSecurity hopSecurity = HopSecurity.OPTIONAL;
  volatile boolean draining;

  /** Whether its heartbeats say that they are the last. */
  volatile boolean stopping;

  /** Called before a request is answered; may block, or answer by itself. */
  volatile Predicate<HttpExchange> before = _ -> false;

  /** Called when a part was taken or given up, and nobody was told yet. */
  volatile Runnable beforeAnswer = () -> {};

  volatile Function<ProbeRequest, ProbeReport> probe = request -> reached(request, 0, 0, 10);

  /** What it was told to receive, by test. */
  final Map<UUID, ThroughputSink> sinks = new ConcurrentHashMap<>();

  /** What it was told to send. */
  final List<ThroughputTest> tests = new CopyOnWriteArrayList<>();

  volatile @Nullable Problem sinkRefusal = refusal(409, "throughput-test-refused", null);

  /** A report, or a problem. */
  volatile Function<ThroughputTest, Object> throughput =
      _ -> refusal(409, "throughput-test-refused", null);

  /** Trains that it was told to reflect. */
  final Map<UUID, PacketTrainReflection> reflections = new ConcurrentHashMap<>();

  /** A report, or a problem. */
  volatile Function<PacketTrain, Object> train = _ -> refusal(409, "throughput-test-refused", null);

  record Call(String method, String path, @Nullable ChainPart part) {}

  private FakeRelay(String name, OrchestratorClient orchestrator, @Nullable String token) {
    this.name = name;
    this.orchestrator = orchestrator;
    this.token = token;
    this.server = serve();
    this.hopPort = 10_000 + server.getAddress().getPort() % 10_000;
  }

  /** Not yet registered. */
  static FakeRelay named(String name, OrchestratorClient orchestrator, @Nullable String token) {
    return new FakeRelay(name, orchestrator, token);
  }

  /**
   * @param missing connections that were not made
   */
  static ProbeReport reached(ProbeRequest request, int missing, int late, double rttMillis) {
    int count = Objects.requireNonNullElse(request.count(), 5);
    return new ProbeReport(
        request.host(),
        request.port(),
        "192.0.2.1",
        count,
        count - missing,
        late,
        rttMillis,
        rttMillis + 0.1,
        null,
        null);
  }

  static ProbeReport refused(ProbeRequest request) {
    return new ProbeReport(
        request.host(), request.port(), "192.0.2.1", 5, 0, 0, null, null, "refused", null);
  }

  static ProbeReport notAllowed(ProbeRequest request, String why) {
    return new ProbeReport(request.host(), request.port(), null, 0, 0, 0, null, null, why, true);
  }

  /** Registers no control port: it is called over a connection that it opens. */
  FakeRelay withoutControlPort() {
    isControlReachable = false;
    return this;
  }

  FakeRelay register() {
    RelayInstructions ignored = announce();
    return this;
  }

  /** Registers. Signed and sent at once, since its messages have to arrive in their order. */
  synchronized RelayInstructions announce() {
    return orchestrator.register(registration());
  }

  /** Signed, with a number of its own each time. */
  RelayRegistration registration() {
    return signer.sign(unsigned());
  }

  private RelayRegistration unsigned() {
    return new RelayRegistration(
        name,
        "berlin",
        instance,
        "0.1.0",
        isControlReachable ? new Endpoint("127.0.0.1", server.getAddress().getPort()) : null,
        hop(),
        capacityBitsPerSecond,
        null,
        congestionControl,
        congestionControls,
        hopSecurity,
        hopSecurity == HopSecurity.PLAIN ? null : certificateSha256(),
        sendBufferBytes,
        receiveBufferBytes,
        offersCoded ? true : null,
        new Endpoint("127.0.0.1", 7_414),
        "",
        1L,
        1L,
        "");
  }

  /** What signs in this relay's name. */
  RelaySigner signer() {
    return signer;
  }

  /** Takes the key, the generation and the numbers of another one. */
  FakeRelay as(RelaySigner other) {
    signer = other;
    return this;
  }

  /** New with every instance, as a real relay's. */
  String certificateSha256() {
    return instance.toString().replace("-", "").repeat(2);
  }

  /** Gives it a host of its own, as far as others are told. */
  FakeRelay at(String host) {
    hopHost = host;
    return this;
  }

  /** Where it is called. */
  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  Endpoint hop() {
    return new Endpoint(hopHost, hopPort);
  }

  /** Registers and goes on living. */
  FakeRelay live() {
    silent = false;
    unregistered = true;
    try {
      register();
      unregistered = false;
    } catch (UnreachableException e) {
      // Its heart tries again.
    } catch (ProblemException e) {
      retryIfNotMine(e);
    }
    heart = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    heart.scheduleWithFixedDelay(this::tryToBeat, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  /** Registers again where it is not known, and goes on after any failure, as a real relay does. */
  private void tryToBeat() {
    try {
      if (unregistered) {
        register();
        unregistered = false;
      }
      beat();
    } catch (UnreachableException e) {
      // The orchestrator restarts; relays wait.
    } catch (ProblemException e) {
      unregistered |= e.status() == 404;
      LOG.log(Level.WARNING, "{0} was refused: {1}", name, e.toString());
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, name + " failed to beat", e);
    }
  }

  /** Lets the relay try again if the orchestrator itself is in trouble. */
  private static void retryIfNotMine(ProblemException e) {
    if (e.status() < 500) {
      throw e;
    }
  }

  synchronized FakeRelay beat() {
    RelayInstructions ignored = report();
    return this;
  }

  /** One at a time, as a real relay's: an older report must not arrive after a newer one. */
  synchronized RelayInstructions report() {
    return orchestrator.heartbeat(name, heartbeat());
  }

  /** Signed, with a number of its own each time. */
  Heartbeat heartbeat() {
    return signer.sign(
        name,
        new Heartbeat(
            instance,
            draining,
            0L,
            0L,
            links.stream().map(this::measured).toList(),
            announced(),
            1L,
            "",
            List.copyOf(destinations),
            stopping ? true : null,
            peersVersion));
  }

  private LinkMeasurement measured(LinkMeasurement link) {
    boolean unanswered =
        neighbours.stream().anyMatch(peer -> peer.silent && peer.name.equals(link.peer()));
    return unanswered
        ? new LinkMeasurement(link.peer(), 10L, 0L, 10L, 0L, null, null, null, null)
        : link;
  }

  void stopBeating() {
    silent = true;
    if (heart != null) {
      heart.shutdownNow();
      heart = null;
    }
  }

  /** Falls silent on every socket. */
  void die() {
    stopBeating();
    server.stop(0);
  }

  /** Comes back as a process that knows nothing, at the same address. */
  void restart() {
    die();
    parts.clear();
    startAnew();
    server = serve();
    live();
  }

  /** Starts anew as another process of the same relay: an instance of the next generation. */
  FakeRelay startAnew() {
    instance = UUID.randomUUID();
    signer = new RelaySigner(signer.key(), signer.generation() + 1, 0);
    return this;
  }

  /** Loses a part. */
  void forget(UUID chain) {
    parts.remove(chain);
  }

  /** Takes a part that nobody asks for any more, as if the request had been long on its way. */
  void hold(UUID chain, ChainPart part) {
    parts.put(chain, part);
  }

  String name() {
    return name;
  }

  UUID instance() {
    return instance;
  }

  @Nullable ChainPart part(UUID chain) {
    return parts.get(chain);
  }

  ChainPart heldPart(UUID chain) {
    ChainPart part = parts.get(chain);
    if (part == null) {
      throw new AssertionError(name + " has no part of " + chain);
    }
    return part;
  }

  /** Chains that it has a part of. */
  Set<UUID> held() {
    return Set.copyOf(parts.keySet());
  }

  /** Whether the orchestrator hears of it. */
  boolean beats() {
    return heart != null;
  }

  boolean has(UUID chain) {
    return parts.containsKey(chain);
  }

  long count(String method) {
    return calls.stream().filter(call -> call.method().equals(method)).count();
  }

  /** Every part is refused from now on. */
  void refuseParts(int status, String type, String detail) {
    before =
        exchange -> {
          if (!exchange.getRequestMethod().equals("PUT")) {
            return false;
          }
          answer(exchange, status, new Problem(type, "Refused", status, detail, null, null));
          return true;
        };
  }

  void behave() {
    before = _ -> false;
  }

  @Override
  public void close() {
    die();
    port.close();
  }

  private HttpServer serve() {
    try {
      HttpServer made = HttpServer.create(new InetSocketAddress("127.0.0.1", port.number()), 0);
      made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      made.createContext("/control/v1", this::handle);
      made.start();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring("/control/v1".length());
      if (token != null
          && !("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        problem(exchange, 401, "unauthorized", "token");
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      String method = exchange.getRequestMethod();
      if (path.startsWith("/packet-trains")) {
        packetTrain(exchange, path, body);
        return;
      }
      if (path.startsWith("/throughput-tests")) {
        throughputTest(exchange, path, body);
        return;
      }
      ChainPart part = method.equals("PUT") ? read(body, ChainPart.class) : null;
      calls.add(new Call(method, exchange.getRequestURI().toString(), part));
      if (before.test(exchange)) {
        return;
      }
      if (path.equals("/limits")) {
        if (method.equals("PATCH")) {
          limit(read(body, Limits.class));
        }
        answer(exchange, 200, limits);
      } else if (path.equals("/chains")) {
        answer(
            exchange,
            200,
            new PartList(
                parts.entrySet().stream()
                    .map(held -> status(held.getKey(), held.getValue()))
                    .toList(),
                process));
      } else if (path.equals("/probes")) {
        ProbeRequest request = read(body, ProbeRequest.class);
        probes.add(request);
        answer(exchange, 200, probe.apply(request));
      } else if (path.equals("/leases")) {
        renew(exchange, read(body, LeaseRenewal.class));
      } else if (path.startsWith("/chains/")) {
        chain(exchange, path.substring("/chains/".length()), part);
      } else {
        problem(exchange, 404, "not-found", path);
      }
    }
  }

  private void throughputTest(HttpExchange exchange, String path, byte[] body) throws IOException {
    if (exchange.getRequestMethod().equals("PUT")) {
      sinks.put(UUID.fromString(path.replaceFirst(".*/", "")), read(body, ThroughputSink.class));
      Problem refusal = sinkRefusal;
      if (refusal == null) {
        exchange.sendResponseHeaders(204, -1);
      } else {
        answer(exchange, refusal.status(), refusal);
      }
      return;
    }
    ThroughputTest test = read(body, ThroughputTest.class);
    tests.add(test);
    Object result = throughput.apply(test);
    answer(exchange, result instanceof Problem refusal ? refusal.status() : 200, result);
  }

  private void packetTrain(HttpExchange exchange, String path, byte[] body) throws IOException {
    if (exchange.getRequestMethod().equals("PUT")) {
      reflections.put(
          UUID.fromString(path.replaceFirst(".*/", "")), read(body, PacketTrainReflection.class));
      exchange.sendResponseHeaders(204, -1);
      return;
    }
    Object result = train.apply(read(body, PacketTrain.class));
    answer(exchange, result instanceof Problem refusal ? refusal.status() : 200, result);
  }

  static Problem refusal(int status, String kind, @Nullable Long retryAfterSeconds) {
    return new Problem(
        "urn:cascade:problem:" + kind, kind, status, "not now", null, retryAfterSeconds);
  }

  /** A test of four seconds that the network limited, with a round trip of 20 ms. */
  static ThroughputReport report(
      ThroughputTest test, double bitsPerSecond, long sent, long again, double loadedRttMillis) {
    return new ThroughputReport(
        Math.round(bitsPerSecond / 2),
        4.0,
        bitsPerSecond,
        bitsPerSecond,
        sent,
        again,
        20.0,
        loadedRttMillis,
        Objects.requireNonNullElse(test.congestionControl(), "cubic"),
        ThroughputLimit.NETWORK,
        ThroughputEnd.SECONDS,
        sent,
        again,
        again);
  }

  private synchronized void limit(Limits wanted) {
    limits =
        new Limits(
            Objects.requireNonNullElse(wanted.maxStreams(), limits.maxStreams()),
            Objects.requireNonNullElse(wanted.memoryBytes(), limits.memoryBytes()),
            Objects.requireNonNullElse(wanted.streamBytes(), limits.streamBytes()),
            Objects.requireNonNullElse(wanted.drainSeconds(), limits.drainSeconds()));
  }

  private RelayLimits announced() {
    return new RelayLimits(
        limits.maxStreams(), limits.memoryBytes(), limits.streamBytes(), limits.drainSeconds());
  }

  private void renew(HttpExchange exchange, LeaseRenewal renewal) {
    renewals.add(renewal);
    List<UUID> renewed = renewal.chains().stream().filter(parts::containsKey).toList();
    List<UUID> unknown = renewal.chains().stream().filter(id -> !parts.containsKey(id)).toList();
    answer(exchange, 200, new LeaseRenewed(renewed, unknown));
  }

  private void chain(HttpExchange exchange, String rest, @Nullable ChainPart part)
      throws IOException {
    UUID id = UUID.fromString(rest.replaceFirst("/.*", ""));
    ChainPart held = parts.get(id);
    if (part != null && held != null && revision(part) < revision(held)) {
      stale.add(part);
      problem(exchange, 409, "stale-revision", "expected: at least " + revision(held));
    } else if (part != null && hopSecurity == HopSecurity.PLAIN && isEncrypted(part)) {
      problem(exchange, 422, "unsupported", "this relay has no TLS");
    } else if (part != null) {
      ChainPart previous = parts.put(id, part);
      InstalledPart installed = installed(id, part, previous);
      beforeAnswer.run();
      answer(exchange, 200, installed);
    } else if (exchange.getRequestMethod().equals("DELETE")) {
      parts.remove(id);
      beforeAnswer.run();
      exchange.sendResponseHeaders(204, -1);
    } else if (!parts.containsKey(id)) {
      problem(exchange, 404, "unknown-chain", id + ": no such part");
    } else if (rest.endsWith("/streams")) {
      answer(exchange, 200, new StreamList(streams));
    } else {
      answer(exchange, 200, status(id, heldPart(id)));
    }
  }

  private static boolean isEncrypted(ChainPart part) {
    return part.inlets().stream()
            .map(inlet -> inlet.relay())
            .anyMatch(relay -> relay != null && relay.certificateSha256() != null)
        || part.outlets().stream()
            .map(outlet -> outlet.relay())
            .anyMatch(relay -> relay != null && relay.certificateSha256() != null);
  }

  private static long revision(ChainPart part) {
    return Objects.requireNonNullElse(part.revision(), 0L);
  }

  /** Installs as the real one does: the listener stays only if the same ingress is wanted again. */
  private InstalledPart installed(UUID id, ChainPart part, @Nullable ChainPart previous) {
    Integer port = null;
    Ingress ingress = part.inlets().getFirst().ingress();
    if (ingress != null && !Boolean.TRUE.equals(ingress.proxied())) {
      boolean kept = previous != null && ingress.equals(previous.inlets().getFirst().ingress());
      int asked = ingress.port();
      port =
          kept ? Objects.requireNonNull(ports.get(id)) : asked != 0 ? asked : 40_000 + ports.size();
      ports.put(id, port);
    }
    return new InstalledPart(
        id,
        Instant.now().plusSeconds(part.leaseSeconds()),
        part.equals(previous),
        port == null ? null : ingressHost,
        port,
        part.outlets().getFirst().relay() == null ? 0 : 4,
        new SetupTimings(0.1, 0.2, 0.3, 0.6),
        limitsSources(part));
  }

  private @Nullable Boolean limitsSources(ChainPart part) {
    Ingress ingress = part.inlets().getFirst().ingress();
    if (!knowsSources || ingress == null) {
      return null;
    }
    return ingress.allowSources() != null;
  }

  private PartStatus status(UUID id, ChainPart part) {
    PartState state = unattended.contains(id) ? PartState.UNATTENDED : PartState.READY;
    return new PartStatus(
        id, state, Instant.now(), null, null, 4, totalsOf(part), null, null, limitsSources(part));
  }

  private StreamTotals totalsOf(ChainPart part) {
    StreamTotals of = totals;
    return new StreamTotals(
        of.running(),
        of.opened(),
        of.completed(),
        of.failed(),
        of.forwardBytes(),
        of.backwardBytes(),
        of.failures(),
        of.heldBytes(),
        of.forwardStalls(),
        of.backwardStalls(),
        at(part.inlets().getFirst().hop(), of.inlets()),
        at(part.outlets().getFirst().hop(), of.outlets()),
        null);
  }

  private static List<HopConnections> at(HopAddress hop, List<HopConnections> connections) {
    return connections.stream()
        .map(of ->
            new HopConnections(
                hop,
                of.connections(),
                of.meanRttMillis(),
                of.minRttMillis(),
                of.congestionWindowSegments(),
                of.unackedSegments(),
                of.notSentBytes(),
                of.sentSegments(),
                of.retransmittedSegments(),
                of.ackedBytes(),
                of.busyMillis(),
                of.receiverLimitedMillis(),
                of.senderLimitedMillis(),
                of.congestionControl()))
        .toList();
  }

  /** Strict: what the contract does not have is a mistake of the orchestrator's. */
  private static <T> T read(byte[] body, Class<T> type) {
    T document = Json.strict().readValue(body, type);
    var violations = VALID.validate(document);
    if (!violations.isEmpty()) {
      throw new AssertionError("not as in the contract: " + violations);
    }
    return document;
  }

  private static void problem(HttpExchange exchange, int status, String kind, String detail) {
    answer(
        exchange,
        status,
        new Problem("urn:cascade:problem:" + kind, kind, status, detail, null, null));
  }

  static void answer(HttpExchange exchange, int status, Object document) {
    byte[] body = Json.strict().writeValueAsBytes(document);
    exchange
        .getResponseHeaders()
        .set("Content-Type", status < 400 ? "application/json" : "application/problem+json");
    try {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
