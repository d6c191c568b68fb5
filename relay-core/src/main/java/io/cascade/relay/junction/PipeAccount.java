package io.cascade.relay.junction;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.carriage.transport.TcpTotals;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Account of the pipes over one hop, for all streams of a chain: the bytes that they have carried,
 * and the kernel's counts of their connections. Thread-safe.
 */
public final class PipeAccount {
  private final HopAddress hop;
  private final PipeCount count;
  private final Set<Connection> live = ConcurrentHashMap.newKeySet();
  private TcpTotals past = TcpTotals.NONE;

  PipeAccount(HopAddress hop) {
    this.hop = hop;
    this.count = new PipeCount(hop);
  }

  HopAddress hop() {
    return hop;
  }

  PipeCount count() {
    return count;
  }

  void begins(Connection connection) {
    count.opened();
    live.add(connection);
  }

  /** Saves the kernel's counts of a connection that is about to be closed. */
  void ends(Connection connection) {
    TcpTotals last = totals(connection).past();
    synchronized (this) {
      if (live.remove(connection)) {
        count.ended();
        past = past.plus(last);
      }
    }
  }

  public PipeTotals totals() {
    return count.document();
  }

  /** The kernel's counts of the open connections and of those that have ended. */
  public TcpTotals tcp() {
    TcpTotals sum;
    Set<Connection> now;
    synchronized (this) {
      sum = past;
      now = Set.copyOf(live);
    }
    for (Connection connection : now) {
      sum = sum.plus(totals(connection));
    }
    return sum;
  }

  private static TcpTotals totals(Connection connection) {
    TcpInfo info = connection.tcpInfo();
    return info == null ? TcpTotals.NONE : TcpTotals.of(info, connection.congestionControl());
  }
}
