package io.cascade.relay.control;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PartList;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.relay.chain.ChainParts;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.throughput.TestFailed;
import io.cascade.relay.throughput.TestRefused;
import io.cascade.relay.throughput.ThroughputTesting;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The table of the contract's operations; finds the operation of a request. */
final class ControlOperations {
  private static final int BODY_LIMIT = 256 * 1024;

  /** The contract lets 10,000 chains be renewed at once, at 39 bytes each. */
  private static final int LEASES_LIMIT = 2 * BODY_LIMIT;

  private static final String TESTS = "/control/v1/throughput-tests";
  private static final String TRAINS = "/control/v1/packet-trains";
  private static final String LIMITS = "/control/v1/limits";
  private static final String EPOCH = "epoch";
  private static final String REVISION = "revision";
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final Pattern NUMBER_FORM = Pattern.compile("[0-9]{1,18}");
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final ChainParts parts;
  private final RelayState relay;
  private final ProbeTurns probes;
  private final ThroughputTesting tests;
  private final Supplier<String> metrics;
  private final List<ControlOperation> table;

  ControlOperations(
      ChainParts parts,
      RelayState relay,
      DestinationProbe probe,
      ThroughputTesting tests,
      Supplier<String> metrics) {
    this.parts = parts;
    this.relay = relay;
    this.probes = new ProbeTurns(probe);
    this.tests = tests;
    this.metrics = metrics;
    String chain = "/control/v1/chains/" + ControlOperation.CHAIN_ID;
    this.table =
        List.of(
            plain(Lane.HEALTH, "GET", "/control/v1/health", this::health),
            plain(Lane.READS, "GET", "/control/v1/metrics", this::metrics),
            plain(Lane.PARTS, "GET", LIMITS, _ -> ControlResponse.of(relay.limits())),
            taking(BODY_LIMIT, Lane.PARTS, "PATCH", LIMITS, this::change),
            plain(
                Lane.READS,
                "GET",
                "/control/v1/chains",
                _ ->
                    ControlResponse.of(
                        new PartList(
                            parts.list(), ProcessUse.after(relay.health().uptimeSeconds())))),
            new ControlOperation(
                "PUT", chain, Set.of(EPOCH), BODY_LIMIT, Lane.PARTS, this::install),
            plain(Lane.READS, "GET", chain, this::show),
            new ControlOperation(
                "DELETE", chain, Set.of("abort", EPOCH, REVISION), 0, Lane.REMOVALS, this::remove),
            plain(Lane.READS, "GET", chain + "/streams", this::streams),
            new ControlOperation(
                "POST",
                "/control/v1/leases",
                Set.of(EPOCH),
                LEASES_LIMIT,
                Lane.LEASES,
                this::renew),
            taking(BODY_LIMIT, Lane.PROBES, "POST", "/control/v1/probes", this::probe),
            taking(BODY_LIMIT, Lane.TESTS, "POST", TESTS, this::runTest),
            taking(
                BODY_LIMIT,
                Lane.TESTS,
                "PUT",
                TESTS + "/" + ControlOperation.TEST_ID,
                this::expectTest),
            taking(BODY_LIMIT, Lane.TESTS, "POST", TRAINS, this::runTrain),
            taking(
                BODY_LIMIT,
                Lane.TESTS,
                "PUT",
                TRAINS + "/" + ControlOperation.TEST_ID,
                this::expectTrain));
  }

  private static ControlOperation plain(
      Lane lane, String method, String path, ControlOperation.Action operation) {
    return new ControlOperation(method, path, Set.of(), 0, lane, operation);
  }

  private static ControlOperation taking(
      int limit, Lane lane, String method, String path, ControlOperation.Action operation) {
    return new ControlOperation(method, path, Set.of(EPOCH), limit, lane, operation);
  }

  /** Finds an operation; null if there is none. */
  @Nullable ControlOperation find(String method, String path) {
    for (ControlOperation operation : table) {
      if (operation.method().equals(method) && operation.match(path) != null) {
        return operation;
      }
    }
    return null;
  }

  /** Returns the problem for a request that matches no operation. */
  ControlProblem missing(String method, String path) {
    Set<String> allowed = new TreeSet<>();
    for (ControlOperation operation : table) {
      if (operation.match(path) != null) {
        allowed.add(operation.method());
      }
    }
    if (allowed.isEmpty()) {
      return new ControlProblem(
          ProblemKind.NOT_FOUND, "no such path (expected: a path of the contract /control/v1)");
    }
    String allow = String.join(", ", allowed);
    return new ControlProblem(
        ProblemKind.METHOD_NOT_ALLOWED,
        method + " (expected: " + allow + ")",
        Map.of("Allow", allow));
  }

  /** Parses the chain's or test's identifier in a path; null where the operation has none. */
  static @Nullable UUID identifier(ControlOperation operation, String path) throws ControlProblem {
    String text = operation.match(path);
    boolean ofTest = operation.path().contains(ControlOperation.TEST_ID);
    if (text == null || !(ofTest || operation.path().contains(ControlOperation.CHAIN_ID))) {
      return null;
    }
    if (!UUID_FORM.matcher(text).matches()) {
      throw new ControlProblem(
          ProblemKind.INVALID_REQUEST,
          (ofTest ? "testId" : "chainId") + ": not a UUID (expected: 8-4-4-4-12 hex digits)");
    }
    return UUID.fromString(text);
  }

  private ControlResponse health(ControlOperation.Request request) throws ControlProblem {
    String blocked = relay.blocked();
    if (blocked != null) {
      throw new ControlProblem(ProblemKind.BLOCKED, blocked);
    }
    return ControlResponse.of(relay.health());
  }

  private ControlResponse metrics(ControlOperation.Request request) {
    return ControlResponse.text(METRICS_TYPE, metrics.get());
  }

  private ControlResponse install(ControlOperation.Request request)
      throws ControlProblem, PartRefused {
    ChainPart part = Documents.read(request.body(), ChainPart.class);
    return ControlResponse.of(parts.install(request.chain(), part, number(request, EPOCH, 0)));
  }

  private ControlResponse show(ControlOperation.Request request) throws ControlProblem {
    return ControlResponse.of(parts.status(request.chain()).orElseThrow(() -> unknown(request)));
  }

  private ControlResponse streams(ControlOperation.Request request) throws ControlProblem {
    return ControlResponse.of(
        new StreamList(parts.streams(request.chain()).orElseThrow(() -> unknown(request))));
  }

  private ControlResponse remove(ControlOperation.Request request)
      throws ControlProblem, PartRefused {
    String abort = request.parameters().getOrDefault("abort", "false");
    if (!abort.equals("true") && !abort.equals("false")) {
      throw new ControlProblem(
          ProblemKind.INVALID_REQUEST, "abort: not a boolean (expected: true or false)");
    }
    parts.remove(
        request.chain(),
        abort.equals("true"),
        number(request, EPOCH, 0),
        number(request, REVISION, Long.MAX_VALUE));
    return ControlResponse.nothing();
  }

  private ControlResponse change(ControlOperation.Request request)
      throws ControlProblem, PartRefused {
    hear(request);
    Limits wanted = Documents.readWhole(request.body(), Limits.class);
    try {
      return ControlResponse.of(relay.change(wanted));
    } catch (LimitsRefused e) {
      throw new ControlProblem(ProblemKind.UNSUPPORTED, String.valueOf(e.getMessage()));
    }
  }

  private ControlResponse renew(ControlOperation.Request request)
      throws ControlProblem, PartRefused {
    LeaseRenewal renewal = Documents.read(request.body(), LeaseRenewal.class);
    return ControlResponse.of(parts.renew(renewal, number(request, EPOCH, 0)));
  }

  /** Orchestrators of the previous version name no epoch in calls that concern no part. */
  private void hear(ControlOperation.Request request) throws ControlProblem, PartRefused {
    if (request.parameters().containsKey(EPOCH)) {
      parts.hear(number(request, EPOCH, 0));
    }
  }

  private static long number(ControlOperation.Request request, String name, long missing)
      throws ControlProblem {
    String text = request.parameters().get(name);
    if (text == null) {
      return missing;
    }
    if (!NUMBER_FORM.matcher(text).matches()) {
      throw new ControlProblem(
          ProblemKind.INVALID_REQUEST, name + ": not a whole number (expected: 0 or more)");
    }
    return Long.parseLong(text);
  }

  private ControlResponse probe(ControlOperation.Request request)
      throws ControlProblem, PartRefused, UnknownHostException {
    hear(request);
    return ControlResponse.of(
        probes.probe(Documents.read(request.body(), ProbeRequest.class), request.caller()));
  }

  /** Runs a throughput test, which takes long; at most one runs at a time. */
  private ControlResponse runTest(ControlOperation.Request request)
      throws ControlProblem, PartRefused, TestRefused, TestFailed, UnknownHostException {
    hear(request);
    return ControlResponse.of(tests.run(Documents.read(request.body(), ThroughputTest.class)));
  }

  private ControlResponse expectTest(ControlOperation.Request request)
      throws ControlProblem, PartRefused, TestRefused {
    hear(request);
    tests.expect(request.test(), Documents.read(request.body(), ThroughputSink.class));
    return ControlResponse.nothing();
  }

  /** Runs a packet train, which takes long, too. */
  private ControlResponse runTrain(ControlOperation.Request request)
      throws ControlProblem, PartRefused, TestRefused, TestFailed, UnknownHostException {
    hear(request);
    return ControlResponse.of(tests.runTrain(Documents.read(request.body(), PacketTrain.class)));
  }

  private ControlResponse expectTrain(ControlOperation.Request request)
      throws ControlProblem, PartRefused, TestRefused {
    hear(request);
    tests.expectTrain(request.test(), Documents.read(request.body(), PacketTrainReflection.class));
    return ControlResponse.nothing();
  }

  private static ControlProblem unknown(ControlOperation.Request request) {
    return new ControlProblem(
        ProblemKind.UNKNOWN_CHAIN, "no part of chain " + request.chain() + " is installed here");
  }
}
