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

/** The streams of one chain at this relay, each in its passage's log. Thread-safe. */
final class ChainStreams {
  private final Map<HopAddress, PassageLog> logs = new ConcurrentHashMap<>();
  private final PipeAccounts pipes = new PipeAccounts();
  private final Function<StreamLog, RelayStream.StreamObserver> observers;

  /** A passage's log and the observer of its streams' ends; one object for all its streams. */
  record PassageLog(StreamLog log, RelayStream.StreamObserver observer) {}

  /**
   * @param observers makes the observer of the ends of a log's streams
   */
  ChainStreams(Function<StreamLog, RelayStream.StreamObserver> observers) {
    this.observers = observers;
  }

  /** Returns the log of a passage. */
  PassageLog of(PartPassage passage) {
    return logs.computeIfAbsent(
        passage.inlets().getFirst().hop(),
        _ -> {
          StreamLog log = new StreamLog();
          return new PassageLog(log, observers.apply(log));
        });
  }

  /** The accounts of the pipes that begin or end here. */
  PipeAccounts pipes() {
    return pipes;
  }

  /** Running streams of all passages. */
  List<RelayStream> running() {
    List<RelayStream> running = new ArrayList<>();
    logs.values().forEach(passage -> running.addAll(passage.log().running()));
    return running;
  }

  boolean isEmpty() {
    return logs.values().stream().allMatch(passage -> passage.log().running().isEmpty());
  }

  /** Reports of the ended streams of each passage, the newest last. */
  List<StreamReport> reports() {
    return logs.values().stream().flatMap(passage -> passage.log().reports().stream()).toList();
  }

  StreamSums sums() {
    StreamSums sums = StreamSums.NONE;
    for (PassageLog passage : logs.values()) {
      sums = sums.plus(passage.log().sums());
    }
    return sums;
  }

  /**
   * Describes the sums as a record of the contract.
   *
   * @param passages through which the streams pass; empty where that was never known
   */
  StreamTotals document(List<PartPassage> passages) {
    StreamSums sums = StreamSums.NONE;
    List<HopConnections> inlets = new ArrayList<>();
    List<HopConnections> outlets = new ArrayList<>();
    for (PartPassage passage : passages) {
      StreamSums own = of(passage).log().sums();
      sums = sums.plus(own);
      passage
          .inlets()
          .forEach(inlet -> inlets.add(tcp(inlet.hop(), passage.combines() ? null : own.inlet())));
      passage
          .outlets()
          .forEach(
              outlet -> outlets.add(tcp(outlet.hop(), passage.splits() ? null : own.onward())));
    }
    return sums.document(inlets, outlets, pipes.totals());
  }

  /**
   * @param streams sums over the streams' own connections; null where pipes carry them
   */
  private HopConnections tcp(HopAddress hop, @Nullable TcpTotals streams) {
    PipeAccount account = streams == null ? pipes.find(hop) : null;
    TcpTotals known = streams != null ? streams : account == null ? TcpTotals.NONE : account.tcp();
    return StreamSums.document(hop, known);
  }
}
