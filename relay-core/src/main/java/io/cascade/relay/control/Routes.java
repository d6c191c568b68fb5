package io.cascade.relay.control;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PartList;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.relay.throughput.TestFailed;
import io.cascade.relay.throughput.TestRefused;
import io.cascade.relay.throughput.ThroughputTesting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of the contract's operations, and how a request finds its own. */
final class Routes {
  private static final int BODY_LIMIT = 256 * 1024;

  /** The contract lets 10,000 chains be renewed at once, at 39 bytes each. */
  private static final int LEASES_LIMIT = 2 * BODY_LIMIT;

  private static final String TESTS = "/control/v1/throughput-tests";
  private static final String LIMITS = "/control/v1/limits";
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final java.util.regex.Pattern UUID_FORM =
      java.util.regex.Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final ChainParts parts;
  private final ProbeTurns probes;
  private final ThroughputTesting tests;
  private final Supplier<String> metrics;
  private final List<Route> table;

  Routes(
      ChainParts parts, DestinationProbe probe, ThroughputTesting tests, Supplier<String> metrics) {
    this.parts = parts;
    this.probes = new ProbeTurns(probe);
    this.tests = tests;
    this.metrics = metrics;
    String chain = "/control/v1/chains/" + Route.CHAIN_ID;
    this.table =
        List.of(
            plain(Lane.HEALTH, "GET", "/control/v1/health", _ -> Answer.of(parts.health())),
            plain(Lane.READS, "GET", "/control/v1/metrics", this::metrics),
            plain(Lane.PARTS, "GET", LIMITS, _ -> Answer.of(parts.limits())),
            taking(BODY_LIMIT, Lane.PARTS, "PATCH", LIMITS, this::change),
            plain(
                Lane.READS,
                "GET",
                "/control/v1/chains",
                _ -> Answer.of(new PartList(parts.list()))),
            taking(BODY_LIMIT, Lane.PARTS, "PUT", chain, this::install),
            plain(Lane.READS, "GET", chain, this::show),
            new Route("DELETE", chain, Set.of("abort"), 0, Lane.PARTS, this::remove),
            plain(Lane.READS, "GET", chain + "/streams", this::streams),
            taking(LEASES_LIMIT, Lane.LEASES, "POST", "/control/v1/leases", this::renew),
            taking(BODY_LIMIT, Lane.PROBES, "POST", "/control/v1/probes", this::probe),
            taking(BODY_LIMIT, Lane.TESTS, "POST", TESTS, this::runTest),
            taking(BODY_LIMIT, Lane.TESTS, "PUT", TESTS + "/" + Route.TEST_ID, this::expectTest));
  }

  private static Route plain(Lane lane, String method, String path, Route.Operation operation) {
    return new Route(method, path, Set.of(), 0, lane, operation);
  }

  private static Route taking(
      int limit, Lane lane, String method, String path, Route.Operation operation) {
    return new Route(method, path, Set.of(), limit, lane, operation);
  }

  /** Null where there is none. */
  @Nullable Route find(String method, String path) {
    for (Route route : table) {
      if (route.method().equals(method) && route.match(path) != null) {
        return route;
      }
    }
    return null;
  }

  /** Why no route was found. */
  ControlProblem missing(String method, String path) {
    Set<String> allowed = new TreeSet<>();
    for (Route route : table) {
      if (route.match(path) != null) {
        allowed.add(route.method());
      }
    }
    if (allowed.isEmpty()) {
      return new ControlProblem(
          ProblemKind.NOT_FOUND, "nothing here (expected: a path of the contract /control/v1)");
    }
    String allow = String.join(", ", allowed);
    return new ControlProblem(
        ProblemKind.METHOD_NOT_ALLOWED,
        method + " (expected: " + allow + ")",
        Map.of("Allow", allow));
  }

  /** The chain or the test that a path names; null where its route names none. */
  static @Nullable UUID identifier(Route route, String path) throws ControlProblem {
    String text = route.match(path);
    boolean ofTest = route.path().contains(Route.TEST_ID);
    if (text == null || !(ofTest || route.path().contains(Route.CHAIN_ID))) {
      return null;
    }
    if (!UUID_FORM.matcher(text).matches()) {
      throw new ControlProblem(
          ProblemKind.INVALID_REQUEST,
          (ofTest ? "testId" : "chainId") + ": not a UUID (expected: 8-4-4-4-12 hex digits)");
    }
    return UUID.fromString(text);
  }

  private Answer metrics(Route.Request request) {
    return Answer.text(METRICS_TYPE, metrics.get());
  }

  private Answer install(Route.Request request)
      throws ControlProblem, io.cascade.relay.chain.PartRefused {
    ChainPart part = Documents.read(request.body(), ChainPart.class);
    return Answer.of(parts.install(request.chain(), part));
  }

  private Answer show(Route.Request request) throws ControlProblem {
    return Answer.of(parts.status(request.chain()).orElseThrow(() -> unknown(request)));
  }

  private Answer streams(Route.Request request) throws ControlProblem {
    return Answer.of(
        new StreamList(parts.streams(request.chain()).orElseThrow(() -> unknown(request))));
  }

  private Answer remove(Route.Request request) throws ControlProblem {
    String abort = request.parameters().getOrDefault("abort", "false");
    if (!abort.equals("true") && !abort.equals("false")) {
      throw new ControlProblem(
          ProblemKind.INVALID_REQUEST, "abort: not a boolean (expected: true or false)");
    }
    parts.remove(request.chain(), abort.equals("true"));
    return Answer.nothing();
  }

  private Answer change(Route.Request request) throws ControlProblem {
    Limits wanted = Documents.read(request.body(), Limits.class);
    try {
      return Answer.of(parts.change(wanted));
    } catch (LimitsRefused e) {
      throw new ControlProblem(ProblemKind.UNSUPPORTED, String.valueOf(e.getMessage()));
    }
  }

  private Answer renew(Route.Request request) throws ControlProblem {
    return Answer.of(parts.renew(Documents.read(request.body(), LeaseRenewal.class)));
  }

  private Answer probe(Route.Request request) throws ControlProblem, java.net.UnknownHostException {
    return Answer.of(
        probes.probe(Documents.read(request.body(), ProbeRequest.class), request.caller()));
  }

  /** Long, but no more than one of them at a time. */
  private Answer runTest(Route.Request request)
      throws ControlProblem, TestRefused, TestFailed, java.net.UnknownHostException {
    return Answer.of(tests.run(Documents.read(request.body(), ThroughputTest.class)));
  }

  private Answer expectTest(Route.Request request) throws ControlProblem, TestRefused {
    tests.expect(request.test(), Documents.read(request.body(), ThroughputSink.class));
    return Answer.nothing();
  }

  private static ControlProblem unknown(Route.Request request) {
    return new ControlProblem(
        ProblemKind.UNKNOWN_CHAIN, "no part of chain " + request.chain() + " is installed here");
  }
}
