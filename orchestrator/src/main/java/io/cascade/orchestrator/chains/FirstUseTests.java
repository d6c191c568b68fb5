package io.cascade.orchestrator.chains;

import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.PathEnds;
import io.cascade.orchestrator.links.ThroughputTests;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Has the throughput of a chain's links tested if neither a test nor a bulk stream has shown it
 * lately. A plan requests its tests itself; a chain that was opened through named relays had no
 * plan.
 *
 * <p>The tests begin some time after the set-up: the client of a new chain usually sends at once,
 * and bulk data is evidence itself. A chain that is closed by then needs no test. Queue, budgets
 * and refusals are those of {@link ThroughputTests}.
 */
@Component
class FirstUseTests {
  /** Time from the set-up to the tests. */
  static final Duration AFTER = Duration.ofSeconds(10);

  /** Time within which the tests of a long chain's links take turns. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(FirstUseTests.class);

  private final Function<UUID, Optional<RouteHops>> routes;
  private final Links links;
  private final Executor later;

  /** What is known of links, and the tests that add to it. */
  interface Links {
    /** Whether the link is known and its throughput has not been observed lately. */
    boolean isUntested(PathEnds link);

    /** Tests a link soon. Does not block. */
    void test(PathEnds link);
  }

  @Autowired
  FirstUseTests(ChainBook book, LinkTable table, ThroughputTests tests) {
    this(
        id -> book.live(id).map(Chain::installedRoute),
        new Links() {
          @Override
          public boolean isUntested(PathEnds link) {
            return table
                .find(link.from(), link.to())
                .filter(known -> !known.wasSeenWithin(MeasuredLink.FRESH))
                .isPresent();
          }

          @Override
          public void test(PathEnds link) {
            CompletableFuture<Void> _ = tests.soon(link.from(), link.to(), null, PATIENCE);
          }
        },
        CompletableFuture.delayedExecutor(
            AFTER.toNanos(), TimeUnit.NANOSECONDS, Executors.newVirtualThreadPerTaskExecutor()));
  }

  /**
   * @param routes the route of a chain that has not ended
   * @param later runs a task after a delay
   */
  FirstUseTests(Function<UUID, Optional<RouteHops>> routes, Links links, Executor later) {
    this.routes = routes;
    this.links = links;
    this.later = later;
  }

  @EventListener
  void on(ChainFact.SetUp fact) {
    if (fact.ready()) {
      later.execute(() -> testLinksOf(fact.chain()));
    }
  }

  private void testLinksOf(UUID chain) {
    Set<PathEnds> untested = new LinkedHashSet<>();
    routes
        .apply(chain)
        .ifPresent(route ->
            route.joiningRelays().stream()
                .map(hop -> new PathEnds(hop.from(), hop.to()))
                .filter(links::isUntested)
                .forEach(untested::add));
    if (!untested.isEmpty()) {
      LOG.info("chain {}: {} has no recent measurement, so it is tested", chain, untested);
      untested.forEach(links::test);
    }
  }
}
