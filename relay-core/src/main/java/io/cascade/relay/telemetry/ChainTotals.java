package io.cascade.relay.telemetry;

import io.cascade.relay.pump.Stalls;
import io.cascade.relay.transport.TcpTotals;
import java.util.Map;
import java.util.TreeMap;

/**
 * Totals and gauges of one chain's part, or of several together.
 *
 * @param chain its identifier
 * @param warmConnections ready to the next relay
 * @param ended streams by the code of their reason
 * @param inlet connections to the relay before, or to clients
 * @param onward connections to the next relay, or to the destination
 */
public record ChainTotals(
    String chain,
    long runningStreams,
    long heldBytes,
    long warmConnections,
    Map<String, Long> ended,
    Carried forward,
    Carried backward,
    TcpTotals inlet,
    TcpTotals onward) {

  public ChainTotals {
    ended = Map.copyOf(ended);
  }

  /** Bytes that one direction has carried, and the time it waited. */
  public record Carried(long bytes, Stalls stalls) {
    static final Carried NOTHING = new Carried(0, Stalls.NONE);

    private Carried plus(Carried other) {
      return new Carried(bytes + other.bytes, stalls.plus(other.stalls));
    }

    private Carried minus(Carried earlier) {
      return new Carried(bytes - earlier.bytes, stalls.minus(earlier.stalls));
    }
  }

  static ChainTotals none(String chain) {
    return new ChainTotals(
        chain, 0, 0, 0, Map.of(), Carried.NOTHING, Carried.NOTHING, TcpTotals.NONE, TcpTotals.NONE);
  }

  long carriedBytes() {
    return forward.bytes() + backward.bytes();
  }

  /** Adds others, under this one's name. */
  ChainTotals plus(ChainTotals other) {
    Map<String, Long> reasons = new TreeMap<>(ended);
    other.ended.forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
    return new ChainTotals(
        chain,
        runningStreams + other.runningStreams,
        heldBytes + other.heldBytes,
        warmConnections + other.warmConnections,
        reasons,
        forward.plus(other.forward),
        backward.plus(other.backward),
        inlet.plus(other.inlet),
        onward.plus(other.onward));
  }

  /** Returns the totals less those of earlier, and the gauges as they are now. */
  ChainTotals since(ChainTotals earlier) {
    Map<String, Long> reasons = new TreeMap<>(ended);
    earlier.ended.forEach((reason, count) -> reasons.merge(reason, -count, Long::sum));
    return new ChainTotals(
        chain,
        runningStreams,
        heldBytes,
        warmConnections,
        reasons,
        forward.minus(earlier.forward),
        backward.minus(earlier.backward),
        inlet.since(earlier.inlet),
        onward.since(earlier.onward));
  }

  /** Returns the totals without the gauges. */
  ChainTotals counted() {
    return new ChainTotals(chain, 0, 0, 0, ended, forward, backward, inlet.past(), onward.past());
  }
}
