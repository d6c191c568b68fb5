package io.cascade.orchestrator.links;

import io.cascade.api.BoundedMap;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ClientTest;
import io.cascade.api.orchestrator.ClientTestRequest;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputLimit;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.corrections.CorrectionBook;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Lets relays test the throughput of links, one test at a time for each relay. Their reports are
 * evidence of the links.
 *
 * <p>Tests wait in a queue until both relays are free and no running test may fill queues on the
 * path ({@link PathOverlap}): beside tests of the hops in between, the test of a direct path of 41
 * Mbit/s showed 1.3 Mbit/s, and losses that the tests caused. A relay that refuses is asked again
 * after the time that it named; a link whose test failed is tested again after {@link
 * #AFTER_FAILURE}. Tests that would have to wait so long are given up, and so are tests that were
 * not started while a caller waits for their results: the transfer that follows a plan must not run
 * beside the remaining tests. The budget of bytes is the relays'.
 */
@Component
public class ThroughputTests {
  static final int MOST_WAITING = 64;
  static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);
  static final Duration AFTER_FAILURE = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(ThroughputTests.class);
  private static final long BYTES = 16L << 20;
  private static final double SECONDS = 4;

  /** Round trips within which BBR finds a rate. */
  private static final double ROUND_TRIPS = 25;

  private static final double MOST_SECONDS = 6;
  private static final int KEY_BYTES = 32;

  /** Name of the sender that a relay is given when a client sends. */
  private static final String CLIENT = "a client";

  private static final int MOST_REMEMBERED = 10_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Upper bound of the duration of a link's test, with all answers. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final RelayRegistry relays;
  private final RelayControls controls;
  private final LinkTable links;
  private final CorrectionBook corrections;
  private final Timekeeper time;
  private final SecureRandom random = new SecureRandom();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<String> busy = new HashSet<>();

  /** Waiting tests, in order of arrival. */
  private final Map<PathEnds, Waiting> waiting = new LinkedHashMap<>();

  private final Map<PathEnds, CompletableFuture<Void>> running = new HashMap<>();
  private final Map<String, Pause> relayPauses = new HashMap<>();
  private final Map<PathEnds, Pause> linkPauses = BoundedMap.ofLatest(MOST_REMEMBERED);

  ThroughputTests(
      RelayRegistry relays,
      RelayControls controls,
      LinkTable links,
      CorrectionBook corrections,
      Timekeeper time) {
    this.relays = relays;
    this.controls = controls;
    this.links = links;
    this.corrections = corrections;
    this.time = time;
  }

  private record Waiting(
      @Nullable String control, long since, Duration patience, CompletableFuture<Void> done) {}

  private record Pause(long since, Duration length) {}

  /**
   * Tests a link as soon as both relays and the path are free. Does not block.
   *
   * @param control congestion control of the sender; null for the relay's own
   * @param patience longest time for which the test may wait to start
   * @return completes when the test has ended, with or without success, or was given up
   */
  public synchronized CompletableFuture<Void> soon(
      String from, String to, @Nullable String control, Duration patience) {
    PathEnds link = new PathEnds(from, to);
    CompletableFuture<Void> before = running.get(link);
    if (before != null) {
      return before;
    }
    Waiting queued = waiting.get(link);
    if (queued != null) {
      return queued.done();
    }
    if (from.equals(to) || waiting.size() >= MOST_WAITING || isPaused(link)) {
      return CompletableFuture.completedFuture(null);
    }
    Waiting one = new Waiting(control, time.mark(), patience, new CompletableFuture<>());
    waiting.put(link, one);
    startWhatMay();
    return one.done();
  }

  /**
   * Tests a link now. Blocks until the test is over.
   *
   * @throws Refusal if a relay is unknown or unreachable, takes part in a test, refuses or fails
   */
  public ThroughputReport run(String from, String to, LinkTestRequest request) {
    return alone(from, to, (source, sink) -> test(source, sink, request));
  }

  /**
   * Has a relay receive a test from a client. The relay is occupied until the client has sent, or
   * did not come in time; meanwhile it refuses tests of links.
   *
   * @throws Refusal if the relay is unknown or unreachable, takes part in a test, refuses or fails
   */
  ClientTest fromClient(String name, ClientTestRequest request) {
    RegisteredRelay relay = relays.known(name);
    checkFree(List.of(name));
    ThroughputSink sink =
        new ThroughputSink(
            newKey(),
            CLIENT,
            Objects.requireNonNullElse(request.maxBytes(), BYTES),
            Objects.requireNonNullElse(request.maxSeconds(), SECONDS));
    UUID id = UUID.randomUUID();
    try {
      controls.of(relay).openThroughputSink(id, sink, TIMEOUT);
    } catch (ProblemException e) {
      throw new Refusal(kind(e), name + ": " + e.getMessage());
    } catch (UnreachableException e) {
      throw new Refusal(ProblemKind.RELAY_UNREACHABLE, String.valueOf(e.getMessage()));
    }
    return ClientTest.builder()
        .testId(id)
        .host(relay.hop().host())
        .port(relay.hop().port())
        .key(sink.key())
        .maxBytes(sink.maxBytes())
        .maxSeconds(sink.maxSeconds())
        .build();
  }

  /** Creates a key for one test, in Base64. */
  String newKey() {
    byte[] secret = new byte[KEY_BYTES];
    random.nextBytes(secret);
    return Base64.getEncoder().encodeToString(secret);
  }

  /**
   * Runs a measurement between two relays while neither takes part in a test. Blocks.
   *
   * @param measure calls the relays
   * @throws Refusal if a relay is unknown or unreachable, takes part in a test, refuses or fails
   */
  <T> T alone(String from, String to, BiFunction<RegisteredRelay, RegisteredRelay, T> measure) {
    RegisteredRelay source = relays.known(from);
    RegisteredRelay sink = relays.known(to);
    if (from.equals(to)) {
      throw new Refusal(ProblemKind.INVALID_REQUEST, from + " to itself (expected: two relays)");
    }
    return occupying(List.of(from, to), () -> measure.apply(source, sink));
  }

  /**
   * Runs a measurement while none of the relays takes part in another test. Blocks.
   *
   * @param names names of the relays
   * @throws Refusal if one of them takes part in a test, or one that is called refuses or fails
   */
  public <T> T occupying(Collection<String> names, Supplier<T> measure) {
    occupy(names);
    try {
      return measure.get();
    } catch (ProblemException e) {
      throw new Refusal(kind(e), String.valueOf(e.getMessage()));
    } catch (UnreachableException e) {
      throw new Refusal(ProblemKind.RELAY_UNREACHABLE, String.valueOf(e.getMessage()));
    } finally {
      leave(names);
    }
  }

  private synchronized void occupy(Collection<String> names) {
    checkFree(names);
    busy.addAll(names);
  }

  private synchronized void checkFree(Collection<String> names) {
    for (String name : names) {
      if (busy.contains(name)) {
        throw new Refusal(
            ProblemKind.THROUGHPUT_TEST_REFUSED,
            name + " takes part in another test; fix: ask again when that is over");
      }
    }
  }

  private synchronized void leave(Collection<String> names) {
    busy.removeAll(names);
    startWhatMay();
  }

  @EventListener
  synchronized void on(RelayFact.Forgotten fact) {
    relayPauses.remove(fact.relay().name());
  }

  private static ProblemKind kind(ProblemException e) {
    if (e.status() == 429) {
      return ProblemKind.THROUGHPUT_BUDGET_SPENT;
    }
    return switch (e.type()) {
      case RelayControlClient.THROUGHPUT_TEST_REFUSED -> ProblemKind.THROUGHPUT_TEST_REFUSED;
      case RelayControlClient.THROUGHPUT_TEST_FAILED -> ProblemKind.THROUGHPUT_TEST_FAILED;
      default -> ProblemKind.RELAY_REFUSED;
    };
  }

  private void startWhatMay() {
    if (waiting.isEmpty()) {
      return;
    }
    List<CompletableFuture<Void>> givenUp = new ArrayList<>();
    PathOverlap overlap = new PathOverlap(this::roundTrip);
    Iterator<Map.Entry<PathEnds, Waiting>> queue = waiting.entrySet().iterator();
    while (queue.hasNext()) {
      Map.Entry<PathEnds, Waiting> next = queue.next();
      PathEnds link = next.getKey();
      Optional<RegisteredRelay> from = relays.find(link.from()).filter(RegisteredRelay::isUp);
      Optional<RegisteredRelay> to = relays.find(link.to()).filter(RegisteredRelay::isUp);
      if (from.isEmpty() || to.isEmpty() || isPaused(link) || isOverdue(next.getValue())) {
        queue.remove();
        givenUp.add(next.getValue().done());
      } else if (!busy.contains(link.from())
          && !busy.contains(link.to())
          && running.keySet().stream().noneMatch(other -> overlap.between(link, other))) {
        queue.remove();
        busy.add(link.from());
        busy.add(link.to());
        running.put(link, next.getValue().done());
        threads.execute(() -> run(link, from.get(), to.get(), next.getValue()));
      } else if (next.getValue().patience().isZero()) {
        queue.remove();
        givenUp.add(next.getValue().done());
      }
    }
    givenUp.forEach(done -> done.complete(null));
  }

  private boolean isOverdue(Waiting one) {
    return !one.patience().isZero() && time.passed(one.since(), one.patience());
  }

  private OptionalDouble roundTrip(String from, String to) {
    Double millis = links.find(from, to).map(link -> link.counts().minRttMillis()).orElse(null);
    return millis == null ? OptionalDouble.empty() : OptionalDouble.of(millis);
  }

  private void run(PathEnds link, RegisteredRelay from, RegisteredRelay to, Waiting waiting) {
    try {
      test(from, to, LinkTestRequest.builder().congestionControl(waiting.control()).build());
    } catch (ProblemException e) {
      LOG.debug("{} to {}: {}", link.from(), link.to(), e.getMessage());
      pause(link, e);
    } catch (RuntimeException e) {
      LOG.debug("{} to {}: {}", link.from(), link.to(), e.getMessage());
      pause(link, AFTER_FAILURE);
    } finally {
      free(link);
      waiting.done().complete(null);
    }
  }

  private synchronized void free(PathEnds link) {
    running.remove(link);
    busy.remove(link.from());
    busy.remove(link.to());
    startWhatMay();
  }

  /**
   * Pauses tests after a refusal or failure. A spent budget is a relay's, but the problem does not
   * say which of the two has spent it.
   */
  private synchronized void pause(PathEnds link, ProblemException e) {
    Duration said = e.retryAfter();
    boolean refused = e.type().equals(RelayControlClient.THROUGHPUT_TEST_REFUSED);
    if (refused && said != null) {
      relayPauses.put(link.from(), new Pause(time.mark(), said));
    } else {
      pause(link, refused ? AFTER_REFUSAL : AFTER_FAILURE);
    }
  }

  private synchronized void pause(PathEnds link, Duration length) {
    linkPauses.put(link, new Pause(time.mark(), length));
  }

  private boolean isPaused(PathEnds link) {
    return isOn(relayPauses.get(link.from())) || isOn(linkPauses.get(link));
  }

  private boolean isOn(@Nullable Pause pause) {
    return pause != null && !time.passed(pause.since(), pause.length());
  }

  private ThroughputReport test(RegisteredRelay from, RegisteredRelay to, LinkTestRequest request) {
    ThroughputReport report = send(from, to, to.hop(), request, LONGEST);
    learn(from.name(), to.name(), report);
    return report;
  }

  /**
   * Has a relay send a test to another relay without using it as evidence of their link. Both have
   * to be {@linkplain #occupying occupied}. Blocks.
   *
   * @param at the receiver's hop port, or the ingress of a chain that ends there
   * @param within longest time to wait for an answer
   * @throws ProblemException if one of the two refuses or fails
   * @throws UnreachableException if one of the two does not answer
   */
  public ThroughputReport send(
      RegisteredRelay from,
      RegisteredRelay to,
      Endpoint at,
      LinkTestRequest request,
      Duration within) {
    long begun = time.mark();
    UUID id = UUID.randomUUID();
    String key = newKey();
    long bytes = Objects.requireNonNullElse(request.maxBytes(), BYTES);
    double seconds =
        Objects.requireNonNullElseGet(request.maxSeconds(), () -> seconds(from.name(), to.name()));
    controls
        .of(to)
        .openThroughputSink(
            id, new ThroughputSink(key, from.name(), bytes, seconds), shorter(TIMEOUT, within));
    Duration left = within.minusNanos(time.mark() - begun);
    return controls
        .of(from)
        .runThroughputTest(
            ThroughputTest.builder()
                .testId(id)
                .to(new io.cascade.api.relay.Endpoint(at.host(), at.port()))
                .peer(to.name())
                .key(key)
                .congestionControl(request.congestionControl())
                .maxBytes(bytes)
                .maxSeconds(seconds)
                .build(),
            shorter(
                Duration.ofNanos(Math.round(seconds * 1e9))
                    .plus(RelayControlClient.THROUGHPUT_TEST_GRACE)
                    .plus(TIMEOUT),
                left));
  }

  /** The shorter duration as a time to wait, which is never 0. */
  private static Duration shorter(Duration one, Duration other) {
    Duration least = one.compareTo(other) < 0 ? one : other;
    return least.isPositive() ? least : Duration.ofMillis(1);
  }

  private double seconds(String from, String to) {
    double rttMillis = roundTrip(from, to).orElse(0);
    return Math.clamp(ROUND_TRIPS * rttMillis / 1e3, SECONDS, MOST_SECONDS);
  }

  private void learn(String from, String to, ThroughputReport report) {
    if (!(report.bytes() > 0 && report.seconds() > 0 && report.minRttMillis() > 0)) {
      return;
    }
    Optional<CongestionControl> control = CongestionControl.named(report.congestionControl());
    Double steady = report.steadyBitsPerSecond();
    Double loaded = report.loadedRttMillis();
    // The sender's slow start overflows the queue; these losses are not the path's own.
    Long steadySent = report.steadySentSegments();
    // A congestion control reacts to a burst of losses as to a single one.
    Long steadyAgain =
        report.steadyLossEvents() == null
            ? report.steadyRetransmittedSegments()
            : report.steadyLossEvents();
    boolean apart = steadySent != null && steadyAgain != null;
    LinkTransfer sent =
        new LinkTransfer(
            control.orElse(CongestionControl.CUBIC),
            report.bitsPerSecond(),
            steady == null ? OptionalDouble.empty() : OptionalDouble.of(steady),
            report.seconds(),
            apart ? Objects.requireNonNull(steadySent) : report.sentSegments(),
            apart ? Objects.requireNonNull(steadyAgain) : report.retransmittedSegments(),
            report.minRttMillis() / 1e3,
            loaded == null ? OptionalDouble.empty() : OptionalDouble.of(loaded / 1e3),
            // For a congestion control without a model only the rate is used.
            control.isPresent() && report.limitedBy() == ThroughputLimit.NETWORK);
    // A stream that ended the test shared the link with it.
    LinkTransfer transfer = report.endedBy() == ThroughputEnd.STREAM ? sent.withoutLosses() : sent;
    links.transferred(from, to, EvidenceSource.TEST, transfer, transfer.highestBitsPerSecond());
    transfer
        .lesson()
        .ifPresent(lesson ->
            corrections.learn(
                new CorrectionBook.Link(from, to, Transfers.name(transfer.control())),
                lesson.ratio(),
                lesson.weight()));
  }
}
