package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.it.Load.End;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Two chains under load while something is done to a container: one by way of upper, the other by
 * way of lower. No stream may end cleanly with bytes missing, and those of chains that do not go
 * through the container must all be whole.
 */
final class Trial implements AutoCloseable {
  /**
   * What docs/reference/operations.md says; printed beside what was seen, which is the machine's as
   * well.
   */
  private static final Duration STATED = Duration.ofSeconds(30);

  static final String UPPER = "upper";
  static final String LOWER = "lower";

  private static final int LANES = 2;

  private final DockerCluster cluster;
  private final String what;
  private final String container;
  private final Load load = new Load();
  private final Map<String, Chain> chains = new LinkedHashMap<>();
  private Duration took = Duration.ZERO;

  private Trial(DockerCluster cluster, String what, String container) throws IOException {
    this.cluster = cluster;
    this.what = what;
    this.container = container;
  }

  /**
   * Returns when both chains carry streams.
   *
   * @param container to which something will be done
   */
  static Trial of(DockerCluster cluster, String what, String container) throws IOException {
    Trial trial = new Trial(cluster, what, container);
    for (String middle : List.of(UPPER, LOWER)) {
      Chain chain = cluster.open(trial.load.port(), route(middle), Map.of());
      trial.chains.put(middle, chain);
      for (int i = 0; i < LANES; i++) {
        trial.load.lane(middle, cluster.ingress(chain));
      }
    }
    trial.awaitFlow(List.copyOf(trial.chains.keySet()));
    return trial;
  }

  private static List<String> route(String middle) {
    return List.of("near", middle, "far");
  }

  /** Chains that go through the container, by their middle relay. */
  private List<String> affected() {
    return chains.keySet().stream().filter(middle -> route(middle).contains(container)).toList();
  }

  private List<String> others() {
    return chains.keySet().stream().filter(middle -> !route(middle).contains(container)).toList();
  }

  /** Waits until each of the chains has carried some more streams, all begun after now. */
  private void awaitFlow(List<String> through) {
    Map<String, Long> before = new LinkedHashMap<>();
    through.forEach(chain -> before.put(chain, load.whole(chain)));
    before.forEach((chain, whole) ->
        // Those that run now may have begun earlier, one on each lane.
        await(what + ": the chain via " + chain + " carries streams")
            .atMost(DockerCluster.PATIENCE)
            .until(() -> load.whole(chain) >= whole + 2 * LANES));
  }

  /** Waits until the orchestrator says so of every chain that goes through the container. */
  void isNoticed() {
    for (String middle : affected()) {
      await(what + ": noticed")
          .atMost(DockerCluster.PATIENCE)
          .until(() -> chain(middle).state() == ChainState.DEGRADED);
    }
  }

  /** Waits until the chains that do not go through the container have carried some more. */
  void othersGoOn() {
    awaitFlow(others());
  }

  Chain chain(String middle) {
    return cluster.controlPlane().client().chain(Objects.requireNonNull(chains.get(middle)).id());
  }

  /**
   * Waits until the cluster has got everything back in order by itself. The time counts from the
   * moment when what failed is there again, not from that when its virtual machine was started.
   */
  void recovers() {
    cluster.awaitReady();
    long start = System.nanoTime();
    await(what + ": as wanted again")
        .atMost(DockerCluster.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> cluster.isAsWanted(ids()));
    awaitFlow(List.copyOf(chains.keySet()));
    took = Duration.ofNanos(System.nanoTime() - start);
  }

  private List<UUID> ids() {
    return chains.values().stream().map(Chain::id).toList();
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
      for (String untouched : others()) {
        assertThat(load.ends(untouched).keySet())
            .as("%s: how streams via %s ended", what, untouched)
            .containsOnly(End.WHOLE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ids().forEach(this::closeChain);
    }
  }

  /** Prints an unfinished stream as its relays saw it. */
  private void tellUnfinished(UUID chain) {
    cluster.controlPlane().client().streams(chain).streams().stream()
        .filter(stream -> !stream.state().equals("COMPLETED"))
        .forEach(stream -> System.out.println("  not completed: " + stream));
    // With what the kernels have unacknowledged and unsent, which tells where bytes stand still.
    System.out.println("  now: " + cluster.controlPlane().client().statistics());
  }

  private void closeChain(UUID id) {
    try {
      Chain _ = cluster.controlPlane().client().close(id, true);
    } catch (ProblemException | UnreachableException e) {
      System.out.println(what + ": a chain could not be closed: " + e.getMessage());
    }
  }
}
