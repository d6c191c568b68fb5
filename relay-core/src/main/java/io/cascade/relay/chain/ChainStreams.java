package io.cascade.relay.chain;

import io.cascade.api.relay.HopAddress;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamTotals;
import io.cascade.relay.junction.PipeAccount;
import io.cascade.relay.junction.PipeAccounts;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.transport.TcpTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The streams of one chain at this relay, each in the log of its lane. Thread-safe. */
final class ChainStreams {
  private final Map<HopAddress, LaneLog> logs = new ConcurrentHashMap<>();
  private final PipeAccounts pipes = new PipeAccounts();
  private final Function<StreamLog, RelayStream.StreamObserver> observers;

  /** A lane's log and who is told of the ends of its streams: one object for all of them. */
  record LaneLog(StreamLog log, RelayStream.StreamObserver observer) {}

  /**
   * @param observers makes who is told of the ends of a log's streams
   */
  ChainStreams(Function<StreamLog, RelayStream.StreamObserver> observers) {
    this.observers = observers;
  }

  /** The log of a lane. */
  LaneLog of(Lane lane) {
    return logs.computeIfAbsent(
        lane.inlets().getFirst().hop(),
        _ -> {
          StreamLog log = new StreamLog();
          return new LaneLog(log, observers.apply(log));
        });
  }

  /** The accounts of the pipes that begin or end here. */
  PipeAccounts pipes() {
    return pipes;
  }

  /** Those that run, of all lanes. */
  List<RelayStream> running() {
    List<RelayStream> running = new ArrayList<>();
    logs.values().forEach(lane -> running.addAll(lane.log().running()));
    return running;
  }

  boolean isEmpty() {
    return logs.values().stream().allMatch(lane -> lane.log().running().isEmpty());
  }

  /** Of each lane the newest last. */
  List<StreamReport> reports() {
    return logs.values().stream().flatMap(lane -> lane.log().reports().stream()).toList();
  }

  StreamSums sums() {
    StreamSums sums = StreamSums.NONE;
    for (LaneLog lane : logs.values()) {
      sums = sums.plus(lane.log().sums());
    }
    return sums;
  }

  /**
   * Describes the sums in the contract's words.
   *
   * @param lanes by which the streams come and go; none where that was never known
   */
  StreamTotals document(List<Lane> lanes) {
    StreamSums sums = StreamSums.NONE;
    List<HopConnections> inlets = new ArrayList<>();
    List<HopConnections> outlets = new ArrayList<>();
    for (Lane lane : lanes) {
      StreamSums own = of(lane).log().sums();
      sums = sums.plus(own);
      lane.inlets()
          .forEach(inlet -> inlets.add(tcp(inlet.hop(), lane.combines() ? null : own.inlet())));
      lane.outlets()
          .forEach(outlet -> outlets.add(tcp(outlet.hop(), lane.splits() ? null : own.onward())));
    }
    return sums.document(inlets, outlets, pipes.totals());
  }

  /**
   * @param streams of the streams' own connections; null where pipes carry them
   */
  private HopConnections tcp(HopAddress hop, @Nullable TcpTotals streams) {
    PipeAccount account = streams == null ? pipes.find(hop) : null;
    TcpTotals known = streams != null ? streams : account == null ? TcpTotals.NONE : account.tcp();
    return StreamSums.document(hop, known);
  }
}
