package io.cascade.relay.telemetry;

import io.cascade.carriage.transport.TcpTotals;
import io.cascade.relay.pump.Stalls;
import java.util.Map;
import java.util.TreeMap;

/**
 * Totals and gauges of one chain's part, or of several together.
 *
 * @param chain its identifier
 * @param warmConnections ready connections to the next relay
 * @param ended number of streams by the code of their reason
 * @param inlet connections to the previous relay, or to clients
 * @param onward connections to the next relay, or to the destination
 * @param pipes that begin or end here
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
    TcpTotals onward,
    PipeSums pipes) {

  public ChainTotals {
    ended = Map.copyOf(ended);
  }

  /** Bytes that one direction has carried, and the times it waited. */
  public record Carried(long bytes, Stalls stalls) {
    static final Carried NOTHING = new Carried(0, Stalls.NONE);

    private Carried plus(Carried other) {
      return new Carried(bytes + other.bytes, stalls.plus(other.stalls));
    }

    private Carried minus(Carried earlier) {
      return new Carried(bytes - earlier.bytes, stalls.minus(earlier.stalls));
    }
  }

  /**
   * Pipes of segments, as counted by the junction at one of their ends.
   *
   * @param lost pipes that ended before their streams
   * @param moved pipes that were withdrawn from running streams
   * @param sentBytes frames included
   * @param receivedBytes frames included
   */
  public record PipeSums(
      long running, long opened, long lost, long moved, long sentBytes, long receivedBytes) {
    public static final PipeSums NONE = new PipeSums(0, 0, 0, 0, 0, 0);

    private PipeSums plus(PipeSums other) {
      return new PipeSums(
          running + other.running,
          opened + other.opened,
          lost + other.lost,
          moved + other.moved,
          sentBytes + other.sentBytes,
          receivedBytes + other.receivedBytes);
    }

    /** Returns the counts since earlier ones, and the present number of running pipes. */
    private PipeSums since(PipeSums earlier) {
      return new PipeSums(
          running,
          opened - earlier.opened,
          lost - earlier.lost,
          moved - earlier.moved,
          sentBytes - earlier.sentBytes,
          receivedBytes - earlier.receivedBytes);
    }

    private PipeSums past() {
      return new PipeSums(0, opened, lost, moved, sentBytes, receivedBytes);
    }
  }

  static ChainTotals none(String chain) {
    return new ChainTotals(
        chain,
        0,
        0,
        0,
        Map.of(),
        Carried.NOTHING,
        Carried.NOTHING,
        TcpTotals.NONE,
        TcpTotals.NONE,
        PipeSums.NONE);
  }

  long carriedBytes() {
    return forward.bytes() + backward.bytes();
  }

  /** Adds another chain's totals, under this one's name. */
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
        onward.plus(other.onward),
        pipes.plus(other.pipes));
  }

  /** Returns the totals since earlier ones, and the present gauges. */
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
        onward.since(earlier.onward),
        pipes.since(earlier.pipes));
  }

  /** Returns the totals without the gauges. */
  ChainTotals counted() {
    return new ChainTotals(
        chain, 0, 0, 0, ended, forward, backward, inlet.past(), onward.past(), pipes.past());
  }
}
