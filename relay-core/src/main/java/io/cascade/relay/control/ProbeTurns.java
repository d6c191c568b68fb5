package io.cascade.relay.control;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the running probes, in total and per caller; probes beyond a bound are refused at once.
 * Equal probes that overlap in time are run once, and all their callers get the same report.
 */
final class ProbeTurns {
  static final int MOST = 32;

  /** Less than {@link #MOST}, so that one caller leaves room for another. */
  static final int MOST_PER_CALLER = 24;

  private final DestinationProbe probe;
  private final Map<ProbeRequest, CompletableFuture<ProbeReport>> running = new HashMap<>();
  private final Map<InetAddress, Integer> byCaller = new HashMap<>();
  private int underWay;

  ProbeTurns(DestinationProbe probe) {
    this.probe = probe;
  }

  /**
   * Runs a probe, or waits for the report of an equal one that already runs. Blocks.
   *
   * @throws ControlProblem if too many are running
   * @throws UnknownHostException if the name does not resolve here
   */
  ProbeReport probe(ProbeRequest request, InetAddress caller)
      throws ControlProblem, UnknownHostException {
    enter(caller);
    try {
      CompletableFuture<ProbeReport> mine = new CompletableFuture<>();
      CompletableFuture<ProbeReport> theirs = join(request, mine);
      return theirs == null ? run(request, mine) : await(theirs);
    } finally {
      leave(caller);
    }
  }

  private ProbeReport run(ProbeRequest request, CompletableFuture<ProbeReport> result)
      throws UnknownHostException {
    try {
      ProbeReport report = probe.probe(request);
      result.complete(report);
      return report;
    } catch (UnknownHostException | RuntimeException | Error e) {
      result.completeExceptionally(e);
      throw e;
    } finally {
      ended(request);
    }
  }

  private static ProbeReport await(CompletableFuture<ProbeReport> theirs)
      throws UnknownHostException {
    try {
      return theirs.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw new IllegalStateException("the probe that was shared failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the relay stops", e);
    }
  }

  /** Number of callers that wait for a report. */
  synchronized int underWay() {
    return underWay;
  }

  private synchronized void enter(InetAddress caller) throws ControlProblem {
    int own = byCaller.getOrDefault(caller, 0);
    if (own >= MOST_PER_CALLER) {
      throw tooMany(own + " probes of " + caller.getHostAddress());
    }
    if (underWay >= MOST) {
      throw tooMany(underWay + " probes");
    }
    byCaller.put(caller, own + 1);
    underWay++;
  }

  private synchronized void leave(InetAddress caller) {
    byCaller.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    underWay--;
  }

  private synchronized @Nullable CompletableFuture<ProbeReport> join(
      ProbeRequest request, CompletableFuture<ProbeReport> mine) {
    return running.putIfAbsent(request, mine);
  }

  private synchronized void ended(ProbeRequest request) {
    running.remove(request);
  }

  private static ControlProblem tooMany(String what) {
    return new ControlProblem(
        ProblemKind.TOO_MANY_PROBES,
        what + " are under way (expected: fewer; try again later)",
        Map.of("Retry-After", "10"));
  }
}
