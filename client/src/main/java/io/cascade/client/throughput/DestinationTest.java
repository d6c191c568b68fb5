package io.cascade.client.throughput;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ClientTest;
import io.cascade.api.orchestrator.ClientTestRequest;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.client.transfer.Carried;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.ways.Chains;
import io.cascade.client.ways.TemporaryChain;
import io.cascade.client.ways.TransferReports;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tests the ways to a {@code receive}: directly, then through the relays that a plan would try. If
 * no receiver at the destination accepts a test, this host tests its own paths to relays at which
 * the plan's cascades begin: those relays receive the test. This host reports what the client's
 * connections carried to the orchestrator; relays report their hops.
 */
public final class DestinationTest {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

  /** Time in which relays report their hops with their heartbeats. */
  private static final Duration TOLD = Duration.ofSeconds(3);

  /** A relay counts the bytes of its streams in the last second. */
  private static final Duration SETTLING = Duration.ofSeconds(2);

  /** A loss of 0.1 % takes three of so many segments. */
  private static final long ENOUGH_SEGMENTS = 3_000;

  /** Most relays to which this host's own path is tested. */
  private static final int MOST_LEGS = 3;

  /** Bytes of a test of such a path; a relay's budget for an hour is some hundred MiB. */
  private static final long LEG_BYTES = 32L << 20;

  private final OrchestratorClient client;
  private final HostPort to;
  private final Duration each;
  private final Consumer<String> note;
  private final TransferReports reports;
  private final Set<String> testedLegs = new HashSet<>();

  /** Relays of the chain that was tested. */
  private List<String> carried = List.of();

  private long carriedNanos;
  private boolean directTested;
  private boolean isTaken;

  /**
   * @param each duration of the test of each way
   * @param note told what is tested and what was not, a line each
   */
  public DestinationTest(
      OrchestratorClient client, HostPort to, Duration each, Consumer<String> note) {
    this.client = client;
    this.to = to;
    this.each = each;
    this.note = note;
    this.reports = new TransferReports(client, to, note);
  }

  /**
   * Tests the ways. A repeated test leaves out the direct way if that is known well enough. Does
   * not fail: a way that cannot be tested is named, and stays as unknown as it was.
   *
   * @param question of the plan that needs more evidence
   * @param plan what is known before
   */
  public void run(PlanRequest question, Plan plan) throws InterruptedException {
    if (tellsEnough(plan)) {
      note.accept("the direct way is known well enough; it is not tested again");
    } else {
      try {
        note.accept("testing the direct way for " + each.toSeconds() + " s");
        test(to, List.of());
        directTested = true;
      } catch (TransferFailed e) {
        note.accept("the direct way was not tested: " + e.getMessage());
      }
    }
    if (plan.relays() != null && !plan.relays().isEmpty()) {
      throughRelays(question);
    }
    if (!isTaken) {
      legs(plan);
    }
  }

  private void throughRelays(PlanRequest question) throws InterruptedException {
    try {
      TemporaryChain.with(
          client,
          "test",
          name -> chain(name, question),
          chain -> {
            String way = String.join(", ", chain.relays());
            note.accept("testing the way via " + way + " for " + each.toSeconds() + " s");
            try {
              test(Chains.ingress(chain), chain.relays());
            } finally {
              carried = chain.relays();
              carriedNanos = System.nanoTime();
            }
            Thread.sleep(TOLD);
            return true;
          });
    } catch (InterruptedException e) {
      throw e;
    } catch (TransferFailed | ProblemException | UnreachableException e) {
      note.accept("no way through relays was tested: " + e.getMessage());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Tests the paths to relays at which a cascade of the plan begins, the likeliest first. */
  private void legs(Plan plan) throws InterruptedException {
    List<String> relays =
        plan.candidates().stream()
            .filter(candidate -> !candidate.relays().isEmpty() && !isKnown(candidate))
            .map(candidate -> candidate.relays().getFirst())
            .distinct()
            .filter(relay -> !testedLegs.contains(relay))
            .limit(MOST_LEGS)
            .toList();
    for (String relay : relays) {
      testedLegs.add(relay);
      settle(relay);
      try {
        ClientTest expected =
            client.openClientTest(
                relay, new ClientTestRequest(LEG_BYTES, (double) each.toSeconds()));
        note.accept("testing the way to " + relay + " for " + each.toSeconds() + " s");
        HostPort hop = new HostPort(expected.host(), expected.port());
        Carried leg = RelayTest.run(Connections.connect(hop, CONNECT_TIMEOUT), expected);
        reports.report(List.of(relay), leg.bytes(), leg.bitsPerSecond(), leg.account());
      } catch (TransferFailed | ProblemException | UnreachableException e) {
        note.accept("the way to " + relay + " was not tested: " + e.getMessage());
      }
    }
  }

  /** Waits until the relay no longer counts this test's earlier bytes as a stream's. */
  private void settle(String relay) throws InterruptedException {
    long left = SETTLING.toNanos() - (System.nanoTime() - carriedNanos);
    if (carried.contains(relay) && left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  /** Whether a recent transfer has measured the path to the candidate's first relay. */
  private static boolean isKnown(Candidate candidate) {
    return !candidate.hops().isEmpty() && isKnown(candidate.hops().getFirst());
  }

  private static boolean isKnown(HopPrediction hop) {
    return hop.bitsPerSecond() != null
        && hop.probesSent() != null
        && hop.probesSent() >= ENOUGH_SEGMENTS;
  }

  /** Whether a second test of the direct way would add little. */
  private boolean tellsEnough(Plan plan) {
    return directTested
        && plan.candidates().stream()
            .filter(one -> one.kind() == CandidateKind.DIRECT)
            .anyMatch(direct ->
                direct.bitsPerSecond() != null
                    && direct.bitsPerSecondHigh() != null
                    && direct.hops().stream().allMatch(DestinationTest::isKnown));
  }

  private void test(HostPort peer, List<String> relays)
      throws TransferFailed, InterruptedException {
    Carried share = PathTest.run(Connections.connect(peer, CONNECT_TIMEOUT), each);
    isTaken |= share.bytes() > 0;
    if (share.bytes() == 0) {
      throw new TransferFailed(to + " has confirmed nothing (is it a cascade receive?)");
    }
    reports.report(relays, share.bytes(), share.bitsPerSecond(), share.account());
  }

  private ChainRequest chain(String name, PlanRequest question) {
    return TemporaryChain.asked(name, question)
        .question(question.toBuilder().measureSeconds(0.0).trial(true).build())
        .build();
  }
}
