package io.cascade.relay;

import io.cascade.api.Json;
import io.cascade.carriage.tls.ExportedIdentity;
import io.cascade.relay.chain.ChainSnapshot;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.handover.HandoverSocket;
import io.cascade.relay.handover.HandoverState;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import tools.jackson.core.JacksonException;

/**
 * Replaces a running process of the same relay, from the new process: takes over its listening
 * sockets, chains, keys, limits and name. The other process finishes its streams.
 *
 * <pre>
 * this process        the process before ({@link GiveWay})
 * name            →
 *                 ←   {@link HandoverState}, one line
 *                 ←   listening sockets
 * "serving"       →
 *                 ←   "left"
 * </pre>
 */
final class TakeOver {
  private static final Logger LOG = Logger.getLogger(TakeOver.class.getName());

  /** Time for an answer of another process, which may be starting on a busy machine. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  static final String SERVING = "serving";
  static final String LEFT = "left";

  private final RelayParts parts;

  TakeOver(RelayParts parts) {
    this.parts = parts;
  }

  /**
   * Takes over. When this method returns, this process serves.
   *
   * @param predecessor closed by this method
   * @return listening sockets of proxies, by protocol
   * @throws IOException if that is impossible; then the other process goes on serving
   */
  Map<String, Integer> from(HandoverSocket predecessor) throws IOException {
    try (predecessor) {
      predecessor.send(parts.settings().name());
      HandoverState state = state(predecessor.read(PATIENCE));
      List<Integer> descriptors = predecessor.readSockets(state.sockets(), PATIENCE);
      parts.identity().takeOver(state);
      ExportedIdentity identity = state.identity();
      if (identity != null) {
        parts.tls().inherit(identity);
      }
      parts.limits().inherit(state.limits());
      if (state.epoch() != null) {
        parts.chains().epochs().hear(state.epoch());
      }
      parts.hopPort().adopt(descriptors.getFirst());
      Iterator<Integer> others = descriptors.listIterator(1);
      for (ChainSnapshot snapshot : state.chains()) {
        parts.chains().inherit(snapshot, snapshot.listens() ? others.next() : null);
      }
      Map<String, Integer> proxies = new HashMap<>();
      state.proxies().forEach(protocol -> proxies.put(protocol, others.next()));
      parts.hopPort().openProbes();
      parts.chains().resume();
      parts.hopPort().accept(true);
      predecessor.send(SERVING);
      if (!predecessor.read(PATIENCE).equals(LEFT)) {
        throw new IOException("the relay to be replaced does not stop");
      }
      parts.identity().lock(PATIENCE);
      LOG.info("took over " + state.chains().size() + " chains from a running relay");
      return proxies;
    } catch (PartRefused e) {
      throw new IOException("a chain cannot be taken over: " + e.getMessage(), e);
    }
  }

  @SuppressWarnings("UnusedException") // its text may hold keys
  private static HandoverState state(String line) throws IOException {
    try {
      return Json.extensible().readValue(line, HandoverState.class);
    } catch (JacksonException e) {
      String why = line.startsWith("{") ? "its state is of another version" : line;
      throw new IOException("cannot be taken over: " + why);
    }
  }
}
