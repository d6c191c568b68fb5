package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.it.Load.End;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Two chains under load while something goes wrong: one by way of upper, the other by way of lower.
 * Whatever goes wrong, no stream may end cleanly with bytes missing.
 */
final class Trial implements AutoCloseable {
  /** In which everything is as wanted again: docs/operations.md promises it. */
  static final Duration STATED = Duration.ofSeconds(30);

  static final String UPPER = "upper";
  static final String LOWER = "lower";

  private static final int LANES = 2;

  private final DockerCluster cluster;
  private final String what;
  private final Load load = new Load();
  private final Map<String, Chain> chains = new LinkedHashMap<>();
  private Duration took = Duration.ZERO;

  private Trial(DockerCluster cluster, String what) throws IOException {
    this.cluster = cluster;
    this.what = what;
  }

  static Trial of(DockerCluster cluster, String what) throws IOException {
    Trial trial = new Trial(cluster, what);
    for (String middle : List.of(UPPER, LOWER)) {
      Chain chain = cluster.open(trial.load.port(), "near", middle, "far");
      trial.chains.put(middle, chain);
      for (int i = 0; i < LANES; i++) {
        trial.load.lane(middle, cluster.ingress(chain));
      }
    }
    trial.awaitFlow();
    return trial;
  }

  /** Until every chain has carried some more streams, all of them begun after now. */
  void awaitFlow() {
    awaitFlow(DockerCluster.PATIENCE, UPPER, LOWER);
  }

  void awaitFlow(Duration within, String... through) {
    for (String chain : through) {
      long before = load.whole(chain);
      // Those that run now may have begun earlier, one on each lane.
      await(chain + " carries streams")
          .atMost(within)
          .until(() -> load.whole(chain) >= before + 2 * LANES);
    }
  }

  List<UUID> ids() {
    return chains.values().stream().map(Chain::id).toList();
  }

  Chain chain(String middle) {
    return cluster.client().chain(java.util.Objects.requireNonNull(chains.get(middle)).id());
  }

  /** From now on the cluster has the stated time to get everything back in order by itself. */
  void recovers() {
    long start = System.nanoTime();
    await(what + ": as wanted again")
        .atMost(STATED)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> cluster.isAsWanted(ids()));
    long left = STATED.toNanos() - (System.nanoTime() - start);
    awaitFlow(Duration.ofNanos(Math.max(left, 1)), UPPER, LOWER);
    took = Duration.ofNanos(System.nanoTime() - start);
  }

  /** Not one of the chain's streams has noticed. */
  void wasNotTouched(String chain) {
    Map<End, Long> ends = load.ends(chain);
    ends.remove(End.WHOLE);
    assertThat(ends).as("%s: streams via %s that are not whole", what, chain).isEmpty();
  }

  /** Ends the load, says what was seen, and holds it against what must hold. */
  @Override
  public void close() throws IOException {
    try (load) {
      load.finish();
      System.out.printf(
          Locale.ROOT,
          "%-44s as wanted and carrying again after %4.1f s (stated: %d s); via upper: %s; via"
              + " lower: %s; ended cleanly with bytes missing: %d%n",
          what,
          took.toMillis() / 1e3,
          STATED.toSeconds(),
          load.ends(UPPER),
          load.ends(LOWER),
          load.count(End.SHORT));
      if (load.count(End.HUNG) > 0) {
        ids().forEach(this::tellUnfinished);
      }
      for (End never : List.of(End.SHORT, End.CHANGED, End.HUNG)) {
        assertThat(load.count(never)).as("%s: streams that ended %s", what, never).isZero();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ids().forEach(this::closeChain);
    }
  }

  /** As its relays saw it. */
  private void tellUnfinished(UUID chain) {
    cluster.client().streams(chain).streams().stream()
        .filter(stream -> !stream.state().equals("COMPLETED"))
        .forEach(stream -> System.out.println("  not completed: " + stream));
  }

  private void closeChain(UUID id) {
    try {
      Chain _ = cluster.client().close(id, true);
    } catch (ProblemException | UnreachableException e) {
      System.out.println(what + ": a chain could not be closed: " + e.getMessage());
    }
  }
}
