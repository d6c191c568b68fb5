package io.cascade.relay.chain;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamTotals;
import io.cascade.carriage.transport.TcpTotals;
import io.cascade.relay.junction.PipeAccount;
import io.cascade.relay.junction.PipeAccounts;
import io.cascade.relay.stream.RelayStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The streams of one chain at this relay, each in the log of its path. Thread-safe. */
final class ChainStreams {
  private final Map<HopAddress, PathLog> logs = new ConcurrentHashMap<>();
  private final PipeAccounts pipes = new PipeAccounts();
  private final Function<StreamLog, RelayStream.StreamObserver> observers;

  /** A path's log and who is told of the ends of its streams: one object for all of them. */
  record PathLog(StreamLog log, RelayStream.StreamObserver observer) {}

  /**
   * @param observers makes who is told of the ends of a log's streams
   */
  ChainStreams(Function<StreamLog, RelayStream.StreamObserver> observers) {
    this.observers = observers;
  }

  /** The log of a path. */
  PathLog of(PartPath path) {
    return logs.computeIfAbsent(
        path.inlets().getFirst().hop(),
        _ -> {
          StreamLog log = new StreamLog();
          return new PathLog(log, observers.apply(log));
        });
  }

  /** The accounts of the pipes that begin or end here. */
  PipeAccounts pipes() {
    return pipes;
  }

  /** Running streams of all paths. */
  List<RelayStream> running() {
    List<RelayStream> running = new ArrayList<>();
    logs.values().forEach(path -> running.addAll(path.log().running()));
    return running;
  }

  boolean isEmpty() {
    return logs.values().stream().allMatch(path -> path.log().running().isEmpty());
  }

  /** The ended streams of each path, the newest last. */
  List<StreamReport> reports() {
    return logs.values().stream().flatMap(path -> path.log().reports().stream()).toList();
  }

  StreamSums sums() {
    StreamSums sums = StreamSums.NONE;
    for (PathLog path : logs.values()) {
      sums = sums.plus(path.log().sums());
    }
    return sums;
  }

  /**
   * Describes the sums in the contract's words.
   *
   * @param paths by which the streams come and go; none where that was never known
   */
  StreamTotals document(List<PartPath> paths) {
    StreamSums sums = StreamSums.NONE;
    List<HopConnections> inlets = new ArrayList<>();
    List<HopConnections> outlets = new ArrayList<>();
    for (PartPath path : paths) {
      StreamSums own = of(path).log().sums();
      sums = sums.plus(own);
      path.inlets()
          .forEach(inlet -> inlets.add(tcp(inlet.hop(), path.combines() ? null : own.inlet())));
      path.outlets()
          .forEach(outlet -> outlets.add(tcp(outlet.hop(), path.splits() ? null : own.onward())));
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
