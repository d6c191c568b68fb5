package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.model.planning.PairedComparison;
import io.cascade.orchestrator.links.ThroughputTests;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Compares the direct way with a cascade by throughput tests in pairs, one on each way, of the same
 * size. The order alternates with every pair, so that a network that becomes slower or faster
 * meanwhile favours neither way.
 *
 * <p>A test has the bytes that the slower way carried in a second, {@value #MOST_BYTES} at most. It
 * is timed from its first byte until the receiver has confirmed the last one, so that bytes in
 * relays do not count as delivered. Both relays at the ends take its bytes from their budgets, and
 * no relay of either way takes part in other tests meanwhile.
 */
@Component
class PairedTests {
  /** Limits all pairs together to as many bytes as the link tests of one plan may send. */
  static final long MOST_BYTES = 4 << 20;

  private static final long LEAST_BYTES = 128 << 10;

  /** Bytes of the first tests, which show how much a second carries, if no rate is known. */
  private static final long FIRST_BYTES = 512 << 10;

  private static final double SECONDS = 1;

  /** Duration after which a test ends with the bytes that were sent by then. */
  private static final double MOST_SECONDS = 4;

  /** Time within which a live relay has answered. */
  private static final Duration LONGEST_TEST =
      Duration.ofNanos(Math.round(MOST_SECONDS * 1e9))
          .plus(RelayControlClient.THROUGHPUT_TEST_GRACE);

  /** Time for a comparison, including the opening of its chain. */
  private static final Duration LONGEST = Duration.ofSeconds(45);

  /** Upper bound of plausible rates, in bit/s. */
  private static final double MOST_BITS_PER_SECOND = 1e13;

  private final RelayRegistry relays;
  private final ThroughputTests tests;
  private final TestChains chains;
  private final Timekeeper time;

  PairedTests(RelayRegistry relays, ThroughputTests tests, TestChains chains, Timekeeper time) {
    this.relays = relays;
    this.tests = tests;
    this.chains = chains;
    this.time = time;
  }

  /** Reports of both ways' tests. */
  private record Pair(ThroughputReport direct, ThroughputReport cascade) {
    double slowerBitsPerSecond() {
      return Math.min(direct.bitsPerSecond(), cascade.bitsPerSecond());
    }

    TestLength length() {
      return new TestLength(
          Math.min(direct.bytes(), cascade.bytes()),
          Math.min(direct.seconds(), cascade.seconds()),
          // Over the cascade the sender sees only the round trip to the first relay.
          Math.max(direct.minRttMillis(), cascade.minRttMillis()) / 1e3);
    }
  }

  /**
   * Compares two ways. Blocks for at most 45 s and the closing of the chain.
   *
   * @param likely rate of the slower way in bit/s; empty if unknown
   * @throws Refusal if not even one pair was tested
   */
  WayComparisons.Outcome run(TestedWays ways, OptionalDouble likely) {
    TimeLeft left = new TimeLeft(time, LONGEST);
    RegisteredRelay from = relays.known(ways.from());
    RegisteredRelay to = relays.known(ways.to());
    List<String> all = new ArrayList<>(ways.relays());
    all.add(from.name());
    all.add(to.name());
    String destination = new HostPort(to.hop().host(), to.hop().port()).toString();
    return tests.occupying(
        all,
        () -> {
          try (TestChains.Opened chain = chains.open(ways.relays(), destination, ways.options())) {
            return new Comparison(ways, from, to, chain.ingress(), left).run(likely);
          }
        });
  }

  /** A running comparison. */
  private final class Comparison {
    private final TestedWays ways;
    private final RegisteredRelay from;
    private final RegisteredRelay to;
    private final Endpoint ingress;
    private final TimeLeft left;
    private long movedBytes;

    Comparison(
        TestedWays ways,
        RegisteredRelay from,
        RegisteredRelay to,
        Endpoint ingress,
        TimeLeft left) {
      this.ways = ways;
      this.from = from;
      this.to = to;
      this.ingress = ingress;
      this.left = left;
    }

    WayComparisons.Outcome run(OptionalDouble likely) {
      long bytes =
          bytes(
              likely.isPresent()
                  ? likely.getAsDouble()
                  : pair(0, FIRST_BYTES).slowerBitsPerSecond());
      PairedComparison seen = PairedComparison.NONE;
      TestLength length = TestLength.NONE;
      String stopped = null;
      while (stopped == null && !seen.isOver()) {
        try {
          Pair next = pair(seen.pairs(), bytes);
          seen = seen.and(next.cascade().bitsPerSecond(), next.direct().bitsPerSecond());
          length = seen.pairs() == 1 ? next.length() : length.and(next.length());
          bytes = bytes(next.slowerBitsPerSecond());
        } catch (Refusal | ProblemException | UnreachableException e) {
          if (seen.pairs() == 0) {
            throw e;
          }
          stopped = String.valueOf(e.getMessage());
        }
      }
      return new WayComparisons.Outcome(seen, movedBytes, length, stopped);
    }

    private Pair pair(int number, long bytes) {
      needTimeFor(2);
      if (number % 2 == 0) {
        ThroughputReport direct = directly(bytes);
        return new Pair(direct, cascaded(bytes));
      }
      ThroughputReport cascade = cascaded(bytes);
      return new Pair(directly(bytes), cascade);
    }

    private void needTimeFor(int tests) {
      if (!left.isEnoughFor(LONGEST_TEST.multipliedBy(tests))) {
        throw new Refusal(
            ProblemKind.THROUGHPUT_TEST_FAILED,
            "a pair of tests might take more than " + LONGEST.toSeconds() + " s");
      }
    }

    private ThroughputReport directly(long bytes) {
      return tested(to.hop(), ways.directControl(), bytes);
    }

    private ThroughputReport cascaded(long bytes) {
      return tested(ingress, ways.firstControl(), bytes);
    }

    private ThroughputReport tested(Endpoint at, @Nullable String control, long bytes) {
      needTimeFor(1);
      ThroughputReport report =
          tests.send(from, to, at, new LinkTestRequest(control, bytes, MOST_SECONDS), left.get());
      movedBytes += Math.max(0, report.bytes());
      if (report.endedBy() == ThroughputEnd.STREAM) {
        throw new Refusal(
            ProblemKind.THROUGHPUT_TEST_REFUSED,
            "a stream began to move bulk data through " + from.name() + " or " + to.name());
      }
      double rate = report.bitsPerSecond();
      if (!(rate >= 1 && rate <= MOST_BITS_PER_SECOND)) {
        throw new Refusal(
            ProblemKind.THROUGHPUT_TEST_FAILED, from.name() + " reports a rate of " + rate);
      }
      return report;
    }
  }

  private static long bytes(double bitsPerSecond) {
    return Math.clamp(Math.round(bitsPerSecond * SECONDS / Byte.SIZE), LEAST_BYTES, MOST_BYTES);
  }
}
