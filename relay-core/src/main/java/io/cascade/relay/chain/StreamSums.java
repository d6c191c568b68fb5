package io.cascade.relay.chain;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.StreamTotals;
import io.cascade.carriage.transport.TcpTotals;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.Side;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sums over the streams of one chain's part, those that run and those that have ended.
 *
 * @param heldBytes bytes held by running streams
 * @param completed streams that ended cleanly
 * @param failed number of failed streams, by the code of their reason
 * @param inlet connections to the previous relay, or to clients
 * @param onward connections to the next relay, or to the destination
 */
public record StreamSums(
    long running,
    long heldBytes,
    long completed,
    Map<String, Long> failed,
    long forwardBytes,
    long backwardBytes,
    Stalls forwardStalls,
    Stalls backwardStalls,
    TcpTotals inlet,
    TcpTotals onward) {
  private static final String COMPLETED = new CloseReason.Completed().code();

  static final StreamSums NONE =
      new StreamSums(
          0, 0, 0, Map.of(), 0, 0, Stalls.NONE, Stalls.NONE, TcpTotals.NONE, TcpTotals.NONE);

  public StreamSums {
    failed = Map.copyOf(failed);
  }

  StreamSums plusRunning(RelayStream stream) {
    return plus(stream, 1, stream.heldBytes(), completed, failed);
  }

  StreamSums plusEnded(RelayStream stream, CloseReason reason) {
    if (reason instanceof CloseReason.Completed) {
      return plus(stream, 0, 0, completed + 1, failed);
    }
    Map<String, Long> failures = new HashMap<>(failed);
    failures.merge(reason.code(), 1L, Long::sum);
    return plus(stream, 0, 0, completed, failures);
  }

  StreamSums plus(StreamSums other) {
    Map<String, Long> failures = new HashMap<>(failed);
    other.failed.forEach((code, count) -> failures.merge(code, count, Long::sum));
    return new StreamSums(
        running + other.running,
        heldBytes + other.heldBytes,
        completed + other.completed,
        failures,
        forwardBytes + other.forwardBytes,
        backwardBytes + other.backwardBytes,
        forwardStalls.plus(other.forwardStalls),
        backwardStalls.plus(other.backwardStalls),
        inlet.plus(other.inlet),
        onward.plus(other.onward));
  }

  /** Number of ended streams, by the code of their reason. */
  public Map<String, Long> ended() {
    Map<String, Long> all = new TreeMap<>(failed);
    if (completed > 0) {
      all.put(COMPLETED, completed);
    }
    return all;
  }

  private StreamSums plus(
      RelayStream stream, int runs, long holds, long nowCompleted, Map<String, Long> nowFailed) {
    return new StreamSums(
        running + runs,
        heldBytes + holds,
        nowCompleted,
        nowFailed,
        forwardBytes + stream.bytesOut(Direction.FORWARD),
        backwardBytes + stream.bytesOut(Direction.BACKWARD),
        forwardStalls.plus(stream.stalls(Direction.FORWARD)),
        backwardStalls.plus(stream.stalls(Direction.BACKWARD)),
        inlet.plus(stream.tcp(Side.INLET)),
        onward.plus(stream.tcp(Side.ONWARD)));
  }

  /**
   * Describes the sums as a record of the contract.
   *
   * @param inlets the kernel's counts of the hops that end here
   * @param outlets its counts of the hops that begin here
   * @param pipes that begin or end here
   */
  StreamTotals document(
      List<HopConnections> inlets, List<HopConnections> outlets, List<PipeTotals> pipes) {
    long broken = failed.values().stream().mapToLong(count -> count).sum();
    return StreamTotals.builder()
        .running(running)
        .opened(running + completed + broken)
        .completed(completed)
        .failed(broken)
        .forwardBytes(forwardBytes)
        .backwardBytes(backwardBytes)
        .failures(failed.isEmpty() ? null : new TreeMap<>(failed))
        .heldBytes(heldBytes)
        .forwardStalls(RelayStream.document(forwardStalls))
        .backwardStalls(RelayStream.document(backwardStalls))
        .inlets(inlets)
        .outlets(outlets)
        .pipes(pipes.isEmpty() ? null : pipes)
        .build();
  }

  static HopConnections document(HopAddress hop, TcpTotals tcp) {
    return HopConnections.builder()
        .hop(hop)
        .connections(tcp.connections())
        .meanRttMillis(millis(tcp.meanRtt()))
        .minRttMillis(millis(tcp.minRtt()))
        .congestionWindowSegments(tcp.congestionWindowSegments())
        .unackedSegments(tcp.unackedSegments())
        .notSentBytes(tcp.notSentBytes())
        .sentSegments(tcp.sentSegments())
        .retransmittedSegments(tcp.retransmittedSegments())
        .ackedBytes(tcp.known() ? tcp.ackedBytes() : null)
        .busyMillis(tcp.known() ? millis(tcp.busyNanos()) : null)
        .receiverLimitedMillis(tcp.known() ? millis(tcp.receiverLimitedNanos()) : null)
        .senderLimitedMillis(tcp.known() ? millis(tcp.senderLimitedNanos()) : null)
        .congestionControl(tcp.congestionControl())
        .build();
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  private static @Nullable Double millis(Duration rtt) {
    return rtt.isZero() ? null : (Double) (rtt.toNanos() / 1e6);
  }
}
