package io.cascade.relay.conformance;

import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.StreamReport;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.relay.RelayNode;
import io.cascade.relay.TestChain;
import io.cascade.relay.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Real relays in this process, in a row, and chains over the first so many of them; each chain has
 * a stage of its own.
 */
final class Relays implements AutoCloseable {
  static final int MOST = 6;

  private final Map<String, List<RelayNode>> rows = new HashMap<>();
  private final Map<Way, StagedChain> routes = new ConcurrentHashMap<>();

  /** A mode and a number of relays. */
  record Way(RelayMode mode, int relays) {
    @Override
    public String toString() {
      return mode + ", " + relays + (relays == 1 ? " relay" : " relays");
    }
  }

  /** A chain and its destination. */
  record StagedChain(Stage stage, TestChain chain) {
    /** Plays the script here; answers when no relay has the stream any more. */
    Stage.Views play(Script script) throws InterruptedException {
      Stage.Views views = stage.play(script, chain.ingressAddress());
      for (int i = 0; i < chain.length(); i++) {
        int relay = i;
        try {
          await()
              .pollDelay(Duration.ZERO)
              .pollInterval(Duration.ofMillis(2))
              .atMost(TestChain.PATIENCE)
              .until(() -> chain.status(relay).totals().running() == 0);
        } catch (ConditionTimeoutException e) {
          throw new AssertionError(
              "relay " + relay + " does not finish with " + script + views + account(), e);
        }
      }
      return views;
    }

    /** What every relay says of the last stream. */
    private String account() {
      return IntStream.range(0, chain.length())
          .mapToObj(relay -> "\n  relay " + relay + " says: " + chain.streams(relay).getLast())
          .collect(Collectors.joining());
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

    /** Bytes of the last stream that any relay spliced. */
    long splicedBytes() {
      return IntStream.range(0, chain.length())
          .mapToObj(relay -> chain.streams(relay).getLast())
          .flatMap(last -> Stream.of(last.forward(), last.backward()))
          .mapToLong(direction -> Objects.requireNonNull(direction.splicedBytes()))
          .sum();
    }
  }

  StagedChain route(Way way) {
    return routes.computeIfAbsent(
        way,
        _ -> {
          try {
            List<RelayNode> row = row(way.mode());
            Stage stage = Stage.open();
            return new StagedChain(
                stage,
                TestChain.over(
                    row.subList(0, way.relays()),
                    stage.address(),
                    way.mode().options(),
                    way.mode().hops().areEncrypted()));
          } catch (Exception e) {
            throw new IllegalStateException(way.toString(), e);
          }
        });
  }

  /**
   * The next play on this way has a chain of its own: a stream that stands in one hurts no more.
   */
  void abandon(Way way) throws IOException {
    StagedChain route = routes.remove(way);
    if (route != null) {
      route.stage().close();
    }
  }

  private synchronized List<RelayNode> row(RelayMode mode) throws IOException {
    TlsLibrary tls = mode.hops().library();
    String name = mode.transport() + "-" + mode.pump() + "-" + tls;
    List<RelayNode> row = rows.get(name);
    if (row == null) {
      row = new ArrayList<>();
      rows.put(name, row);
      for (int i = 0; i < MOST; i++) {
        row.add(TestRelay.on(mode.transport()).pump(mode.pump()).tls(tls).start(name + "-" + i));
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
    for (StagedChain route : routes.values()) {
      route.stage().close();
    }
    rows.values().forEach(row -> row.forEach(RelayNode::close));
  }
}
