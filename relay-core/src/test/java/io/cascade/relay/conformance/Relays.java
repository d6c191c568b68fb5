package io.cascade.relay.conformance;

import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.StreamReport;
import io.cascade.relay.RelayNode;
import io.cascade.relay.TestChain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Real relays in this process, in a row, and chains over the first so many of them; each chain has
 * a stage of its own.
 */
final class Relays implements AutoCloseable {
  static final int MOST = 6;

  private final Map<String, List<RelayNode>> rows = new HashMap<>();
  private final Map<Way, Route> routes = new ConcurrentHashMap<>();

  /** A mode and a number of relays. */
  record Way(RelayMode mode, int relays) {
    @Override
    public String toString() {
      return mode + ", " + relays + (relays == 1 ? " relay" : " relays");
    }
  }

  /** A chain and its destination. */
  record Route(Stage stage, TestChain chain) {
    /** Plays the script here; answers when no relay has the stream any more. */
    Stage.Views play(Script script) throws InterruptedException {
      Stage.Views views = stage.play(script, chain.ingressAddress());
      for (int i = 0; i < chain.length(); i++) {
        int relay = i;
        await()
            .alias("relay " + relay + " has finished with: " + script)
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .atMost(TestChain.PATIENCE)
            .until(() -> chain.status(relay).totals().running() == 0);
      }
      return views;
    }

    /** How the last stream ended, at every relay. */
    List<String> reasons() {
      List<String> reasons = new ArrayList<>();
      for (int i = 0; i < chain.length(); i++) {
        StreamReport last = chain.streams(i).getLast();
        reasons.add(String.valueOf(last.reason()));
      }
      return reasons;
    }
  }

  Route route(Way way) {
    return routes.computeIfAbsent(
        way,
        _ -> {
          try {
            List<RelayNode> row = row(way.mode());
            Stage stage = Stage.open();
            return new Route(
                stage,
                TestChain.over(
                    row.subList(0, way.relays()),
                    stage.address(),
                    way.mode().options(),
                    way.mode().encrypted()));
          } catch (Exception e) {
            throw new IllegalStateException(way.toString(), e);
          }
        });
  }

  private synchronized List<RelayNode> row(RelayMode mode) throws IOException {
    String name = (mode.transport() + "-" + mode.pump()).replace('_', '-');
    List<RelayNode> row = rows.get(name);
    if (row == null) {
      row = new ArrayList<>();
      rows.put(name, row);
      for (int i = 0; i < MOST; i++) {
        row.add(TestChain.relay(name + "-" + i, mode.transport(), mode.pump()));
      }
    }
    return row;
  }

  /** Stream bytes that any relay holds. */
  long heldBytes() {
    return rows.values().stream()
        .flatMap(List::stream)
        .mapToLong(relay -> TestChain.control(relay).health(TestChain.PATIENCE).heldBytes())
        .sum();
  }

  @Override
  public void close() throws IOException {
    for (Route route : routes.values()) {
      route.stage().close();
    }
    rows.values().forEach(row -> row.forEach(RelayNode::close));
  }
}
