package io.cascade.packets.connections;

import io.cascade.packets.connections.ConnectionState.Event;
import io.cascade.packets.header.TcpPacket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of connections. A record begins with a SYN, is confirmed by the answer in the
 * other direction, and ends by a reset or silence. A connection whose SYN was not seen, or for
 * which there was no room, has no record, and so is never split.
 */
public final class ConnectionHandler {
  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final int most;
  private final Map<ConnectionId, Connection> connections = new HashMap<>();

  /** Dropped records that have not been returned yet. */
  private final List<Connection> forgotten = new ArrayList<>();

  private long sweptNanos;
  private boolean swept;
  private long refused;

  /**
   * @param most records at a time
   */
  public ConnectionHandler(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most connections: " + most + " (expected: >= 1)");
    }
    this.most = most;
  }

  /**
   * Brings the record of a packet's connection up to date. A packet that {@linkplain
   * Connection#acknowledgesUnsent acknowledges what was not sent} does not change it.
   *
   * @param fromNear whether the packet is sent to the far side
   * @return the record, which is {@link ConnectionState#CLOSED} and no longer kept if the packet
   *     ends it; null if there is none
   */
  public @Nullable Connection handle(
      ConnectionId id, TcpPacket packet, boolean fromNear, long nowNanos) {
    Connection connection = connections.get(id);
    if (packet.syn() && !packet.ack()) {
      connection = opened(id, connection, packet, fromNear, nowNanos);
    }
    if (connection == null) {
      return null;
    }
    if (packet.syn() && packet.ack()) {
      connection = succeeded(id, connection, packet, fromNear);
    }
    if (connection.acknowledgesUnsent(packet, fromNear)) {
      return connection;
    }
    connection.seen(nowNanos);
    if (packet.syn() && packet.ack() && connection.isAnsweredBy(packet, fromNear)) {
      connection.on(Event.CONFIRMED);
    }
    if (packet.fin()) {
      connection.on(Event.FIN);
    }
    if (packet.rst() && connection.isCredibleReset(packet, fromNear)) {
      connection.on(Event.RESET);
      connections.remove(id);
    }
    connection.passed(packet, fromNear);
    return connection;
  }

  private @Nullable Connection opened(
      ConnectionId id,
      @Nullable Connection before,
      TcpPacket packet,
      boolean fromNear,
      long nowNanos) {
    if (before != null && before.isOpenedBy(fromNear, packet.sequence())) {
      before.repeated();
      return before;
    }
    // A SYN within an open connection is stale or forged: its receiver refuses it (RFC 5961),
    // unless it has lost the connection's state, as the sender has.
    if (before != null && before.state() == ConnectionState.ACTIVE) {
      before.contendedBy(new Connection(id, fromNear, packet, nowNanos));
      return before;
    }
    if (before == null && connections.size() >= most) {
      forgetSilent(nowNanos);
      if (connections.size() >= most) {
        refused++;
        return null;
      }
    }
    if (before != null) {
      forgotten.add(before);
    }
    Connection made = new Connection(id, fromNear, packet, nowNanos);
    connections.put(id, made);
    return made;
  }

  /** The record for an answer: a new one if a SYN within an open connection is answered. */
  private Connection succeeded(
      ConnectionId id, Connection before, TcpPacket answer, boolean fromNear) {
    Connection contender = before.contender();
    if (contender == null || !contender.isAnsweredBy(answer, fromNear)) {
      return before;
    }
    forgotten.add(before);
    connections.put(id, contender);
    return contender;
  }

  /**
   * Drops silent connections, at most once a second, and returns all that were dropped since the
   * last call, including those that made room for others.
   */
  public List<Connection> sweep(long nowNanos) {
    forgetSilent(nowNanos);
    List<Connection> found = List.copyOf(forgotten);
    forgotten.clear();
    return found;
  }

  private void forgetSilent(long nowNanos) {
    if (swept && nowNanos - sweptNanos < SWEEP_NANOS) {
      return;
    }
    swept = true;
    sweptNanos = nowNanos;
    for (Iterator<Connection> all = connections.values().iterator(); all.hasNext(); ) {
      Connection connection = all.next();
      if (connection.isSilent(nowNanos)) {
        connection.on(Event.SILENT);
        forgotten.add(connection);
        all.remove();
      }
    }
  }

  /** Returns a record; null if there is none. */
  public @Nullable Connection find(ConnectionId id) {
    return connections.get(id);
  }

  /** Returns all present records. */
  public List<Connection> all() {
    return List.copyOf(connections.values());
  }

  public int count() {
    return connections.size();
  }

  /** Number of connections that found the table full. */
  public long refused() {
    return refused;
  }
}
