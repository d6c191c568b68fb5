package io.cascade.packets.scap;

import io.cascade.packets.connections.Connection;
import io.cascade.packets.connections.ConnectionHandler;
import io.cascade.packets.connections.ConnectionId;
import io.cascade.packets.connections.ConnectionState;
import io.cascade.packets.header.Packet;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.processing.DataAckProcessor;
import io.cascade.packets.processing.HeldBudget;
import io.cascade.packets.processing.Operation;
import io.cascade.packets.processing.ProcessorCounts;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A splitter/combiner for TCP (the source's SCAP): between hosts that know nothing of it and
 * several pipes to the far side. What it does not understand, did not see begin, or has no room for
 * goes by the quickest pipe as it is. Used by one thread; all times are given.
 */
public final class Scap {
  private final ScapSettings settings;
  private final Pipes pipes;
  private final PacketOutput output;
  private final ConnectionHandler connections;
  private final HeldBudget budget;

  /** Connections with packets that wait. */
  private final Set<Connection> waiting = new LinkedHashSet<>();

  private long outbound;
  private long inbound;
  private long split;
  private long duplicated;
  private long delayed;
  private long dropped;
  private long notTcp;
  private long withoutRecord;
  private ProcessorCounts ended = ProcessorCounts.NONE;

  public Scap(ScapSettings settings, Pipes pipes, PacketOutput output) {
    this.settings = settings;
    this.pipes = pipes;
    this.output = output;
    this.connections = new ConnectionHandler(settings.mostConnections());
    this.budget = new HeldBudget(settings.mostHeldBytes());
  }

  /** A packet from the near side, to the far one. */
  public void outbound(byte[] buffer, int length, long nowNanos) {
    outbound++;
    Packet parsed = parsed(buffer, length);
    if (!(parsed instanceof TcpPacket packet)) {
      notTcp++;
      output.toPipe(pipes.quickest().id(), parsed);
      return;
    }
    Connection connection = handle(ConnectionId.ofOutbound(packet), packet, true, nowNanos);
    DataAckProcessor processor = connection == null ? null : processor(connection);
    if (connection == null || processor == null || !splitsNow(connection)) {
      output.toPipe(pipes.quickest().id(), packet);
    } else {
      perform(processor.outbound(packet, nowNanos), packet);
    }
    if (connection != null) {
      connection.countOutbound(packet.payloadLength());
    }
  }

  /** A packet that a pipe brought from the far side. */
  public void inbound(PipeId from, byte[] buffer, int length, long nowNanos) {
    inbound++;
    Packet parsed = parsed(buffer, length);
    if (!(parsed instanceof TcpPacket packet)) {
      notTcp++;
      output.toNear(parsed);
      return;
    }
    Connection connection = handle(ConnectionId.ofInbound(packet), packet, false, nowNanos);
    DataAckProcessor processor = connection == null ? null : processor(connection);
    if (connection == null || processor == null) {
      output.toNear(packet);
      return;
    }
    perform(processor.inbound(packet, from, nowNanos), packet);
    release(connection, processor, nowNanos);
  }

  private Packet parsed(byte[] buffer, int length) {
    Packet packet = PacketParser.parse(buffer, length);
    return packet instanceof TcpPacket tcp && tcp.syn()
        ? TcpRewrite.of(tcp).clampMaximumSegmentSize(settings.mostSegmentBytes()).packet()
        : packet;
  }

  private @Nullable Connection handle(
      ConnectionId id, TcpPacket packet, boolean fromNear, long nowNanos) {
    Connection connection =
        settings.admission().admits(id) ? connections.handle(id, packet, fromNear, nowNanos) : null;
    if (connection == null) {
      withoutRecord++;
      return null;
    }
    if (connection.state() == ConnectionState.CLOSED) {
      end(connection);
      return null;
    }
    return connection;
  }

  /** What works on a connection's packets; null while its answer has not been seen. */
  private @Nullable DataAckProcessor processor(Connection connection) {
    if (connection.processor() == null && connection.state() != ConnectionState.PENDING) {
      PipeSet selected =
          pipes.select(settings.selection(), connection.id().near(), connection.id().far());
      connection.splitBy(settings.mode().processor(selected, budget));
    }
    return connection.processor();
  }

  private boolean splitsNow(Connection connection) {
    return connection.outboundOctets() >= settings.admission().afterOctets();
  }

  private void perform(Operation operation, TcpPacket packet) {
    switch (operation) {
      case Operation.Deliver(PipeId pipe) -> {
        split++;
        output.toPipe(pipe, packet);
      }
      case Operation.DeliverNear() -> output.toNear(packet);
      case Operation.DeliverInstead(TcpPacket changed) -> output.toNear(changed);
      case Operation.Duplicate duplicate -> {
        split++;
        duplicated += duplicate.pipes().size() - 1;
        duplicate.pipes().forEach(pipe -> output.toPipe(pipe, packet));
      }
      case Operation.Delay() -> delayed++;
      case Operation.Drop() -> dropped++;
    }
  }

  private void release(Connection connection, DataAckProcessor processor, long nowNanos) {
    processor.release(nowNanos, output::toNear);
    if (processor.nextNanos() == DataAckProcessor.NEVER) {
      waiting.remove(connection);
    } else {
      waiting.add(connection);
    }
  }

  /** Does what is due by now, and forgets silent connections. */
  public void tick(long nowNanos) {
    for (Connection connection : Set.copyOf(waiting)) {
      DataAckProcessor processor = connection.processor();
      if (processor != null && processor.nextNanos() <= nowNanos) {
        release(connection, processor, nowNanos);
      }
    }
    connections.sweep(nowNanos).forEach(this::end);
  }

  /** When {@link #tick} has something to do; {@link DataAckProcessor#NEVER} without that. */
  public long nextNanos() {
    long next = DataAckProcessor.NEVER;
    for (Connection connection : waiting) {
      DataAckProcessor processor = connection.processor();
      if (processor != null) {
        next = Math.min(next, processor.nextNanos());
      }
    }
    return next;
  }

  private void end(Connection connection) {
    DataAckProcessor processor = connection.processor();
    if (processor != null) {
      processor.flush(output::toNear);
      ended = ended.plus(processor.counts());
    }
    waiting.remove(connection);
  }

  /** Hands out all that is held: the end. */
  public void close() {
    Set.copyOf(waiting).forEach(this::end);
  }

  public ScapCounts counts() {
    ProcessorCounts processors = ended;
    for (Connection connection : connections.all()) {
      DataAckProcessor processor = connection.processor();
      if (processor != null) {
        processors = processors.plus(processor.counts());
      }
    }
    return new ScapCounts(
        outbound,
        inbound,
        split,
        duplicated,
        delayed,
        dropped,
        notTcp,
        withoutRecord,
        connections.count(),
        connections.refused(),
        budget.held(),
        processors);
  }
}
