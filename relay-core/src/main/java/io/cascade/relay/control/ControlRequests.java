package io.cascade.relay.control;

import io.cascade.relay.chain.ChainParts;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.throughput.TestFailed;
import io.cascade.relay.throughput.TestRefused;
import io.cascade.relay.throughput.ThroughputTesting;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of the relay-control contract, however they arrive. Each {@link Lane} runs a
 * bounded number at once; further requests wait on their callers' threads.
 */
public final class ControlRequests {
  private static final Logger LOG = Logger.getLogger(ControlRequests.class.getName());
  private static final int TURN_SECONDS = 10;

  private final ControlOperations operations;
  private final Map<Lane, Semaphore> turns = new EnumMap<>(Lane.class);

  /**
   * @param metrics the text of {@code /metrics}
   */
  public ControlRequests(
      ChainParts parts,
      RelayState relay,
      DestinationProbe probe,
      ThroughputTesting tests,
      Supplier<String> metrics) {
    this.operations = new ControlOperations(parts, relay, probe, tests, metrics);
    for (Lane lane : Lane.values()) {
      if (lane.turns() > 0) {
        turns.put(lane, new Semaphore(lane.turns(), true));
      }
    }
  }

  /** Finds an operation; null if there is none. */
  @Nullable ControlOperation find(String method, String path) {
    return operations.find(method, path);
  }

  /** Returns the problem for a request that matches no operation. */
  ControlProblem missing(String method, String path) {
    return operations.missing(method, path);
  }

  /**
   * Answers a complete request of the orchestrator. Parameters that a newer orchestrator adds are
   * skipped.
   *
   * @param target path and query
   * @param caller the address that sent it
   */
  ControlResponse respond(String method, String target, String body, InetAddress caller) {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    try {
      ControlOperation operation = find(method, path);
      if (operation == null) {
        throw missing(method, path);
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      if (bytes.length > operation.bodyLimit()) {
        throw tooLarge(operation.bodyLimit());
      }
      return respond(
          operation,
          path,
          parameters(
              question < 0 ? null : target.substring(question + 1), operation.parameters(), true),
          new ByteArrayInputStream(bytes),
          caller);
    } catch (ControlProblem problem) {
      return ControlResponse.problem(problem, path);
    }
  }

  /**
   * Answers a request once its lane has a free place.
   *
   * @param query percent-encoded; null for none
   * @param body no longer than the operation's limit
   */
  ControlResponse respond(
      ControlOperation operation,
      String path,
      @Nullable String query,
      InputStream body,
      InetAddress caller)
      throws ControlProblem {
    return respond(operation, path, parameters(query, operation.parameters(), false), body, caller);
  }

  private ControlResponse respond(
      ControlOperation operation,
      String path,
      Map<String, String> parameters,
      InputStream body,
      InetAddress caller)
      throws ControlProblem {
    ControlOperation.Request request =
        new ControlOperation.Request(
            ControlOperations.identifier(operation, path), parameters, body, caller);
    Semaphore lane = turns.get(operation.lane());
    if (lane == null) {
      return run(operation, request, path);
    }
    takeTurn(lane, operation.lane().turns());
    try {
      return run(operation, request, path);
    } finally {
      lane.release();
    }
  }

  static ControlProblem tooLarge(int limit) {
    return new ControlProblem(
        ProblemKind.TOO_LARGE,
        "more than " + limit + " bytes (expected: at most " + limit + ")",
        Map.of("Connection", "close"));
  }

  private static ControlResponse run(
      ControlOperation operation, ControlOperation.Request request, String path)
      throws ControlProblem {
    try {
      return operation.action().respond(request);
    } catch (PartRefused refused) {
      throw new ControlProblem(
          ProblemKind.of(refused.kind()), String.valueOf(refused.getMessage()));
    } catch (TestRefused refused) {
      Duration retryAfter = refused.retryAfter();
      throw new ControlProblem(
          ProblemKind.of(refused.reason()),
          String.valueOf(refused.getMessage()),
          retryAfter == null
              ? Map.of()
              : Map.of(ControlProblem.RETRY_AFTER, Long.toString(retryAfter.toSeconds() + 1)));
    } catch (TestFailed e) {
      throw new ControlProblem(ProblemKind.THROUGHPUT_TEST_FAILED, String.valueOf(e.getMessage()));
    } catch (UnknownHostException e) {
      throw new ControlProblem(
          ProblemKind.UNRESOLVABLE, e.getMessage() + ": the name does not resolve at this relay");
    } catch (RuntimeException | Error e) { // also a missing class, or lack of memory
      LOG.log(Level.SEVERE, "control: " + operation.method() + " " + path + " failed", e);
      throw new ControlProblem(
          ProblemKind.INTERNAL, "the relay's log has the reason (" + operation.method() + ")");
    }
  }

  private static void takeTurn(Semaphore lane, int most) throws ControlProblem {
    try {
      if (lane.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ControlProblem(
        ProblemKind.BUSY,
        most + " such requests are under way (expected: try again later)",
        Map.of("Retry-After", "1"));
  }

  /**
   * @param skip whether to skip unknown parameters
   */
  private static Map<String, String> parameters(
      @Nullable String query, Set<String> known, boolean skip) throws ControlProblem {
    Map<String, String> parameters = new HashMap<>();
    if (query == null || query.isEmpty()) {
      return parameters;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      if (!known.contains(name) && skip) {
        continue;
      }
      if (!known.contains(name)) {
        throw new ControlProblem(
            ProblemKind.INVALID_REQUEST,
            "an unknown query parameter (expected: "
                + (known.isEmpty() ? "none" : new TreeSet<>(known))
                + ")");
      }
      if (parameters.put(name, decoded(equals < 0 ? "" : pair.substring(equals + 1))) != null) {
        throw new ControlProblem(
            ProblemKind.INVALID_REQUEST, name + ": given more than once (expected: once)");
      }
    }
    return parameters;
  }

  private static String decoded(String text) throws ControlProblem {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new ControlProblem(ProblemKind.INVALID_REQUEST, "the query is not percent-encoded");
    }
  }
}
