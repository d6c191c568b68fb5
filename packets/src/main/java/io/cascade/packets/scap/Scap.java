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
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A splitter/combiner for TCP (the source's SCAP): between hosts that are unaware of it and several
 * pipes to the far side. Packets that it does not understand, of connections whose beginning it did
 * not see, or for which it has no room, are sent unchanged over the fastest pipe that is not known
 * to deliver nothing. Used by one thread; all times are passed in.
 */
public final class Scap {
  private final ScapSettings settings;
  private final Pipes pipes;
  private final PacketOutput output;
  private final ConnectionHandler connections;
  private final HeldBudget budget;
  private final PeerSignalling signalling;

  /** Connections with waiting packets. */
  private final Set<Connection> waiting = new LinkedHashSet<>();

  private long outbound;
  private long inbound;
  private long split;
  private long duplicated;
  private long delayed;
  private long dropped;
  private long notTcp;
  private long withoutRecord;
  private long unsentAcknowledged;
  private ProcessorCounts ended = ProcessorCounts.NONE;

  /**
   * @param token random, identifies answers to this splitter's offers
   */
  public Scap(ScapSettings settings, Pipes pipes, PacketOutput output, int token) {
    this.settings = settings;
    this.pipes = pipes;
    this.output = output;
    this.connections = new ConnectionHandler(settings.mostConnections());
    this.budget = new HeldBudget(settings.mostHeldBytes());
    this.signalling = new PeerSignalling(settings, token, output::signal);
  }

  /** Processes a packet from the near side to the far one. */
  public void outbound(byte[] buffer, int length, long nowNanos) {
    outbound++;
    Packet parsed = parsed(buffer, length);
    if (!(parsed instanceof TcpPacket arrived)) {
      notTcp++;
      toPipe(pipes.quickest(nowNanos).id(), parsed, nowNanos);
      return;
    }
    Connection connection = handle(ConnectionId.ofOutbound(arrived), arrived, true, nowNanos);
    TcpPacket packet =
        connection == null ? arrived : signalling.outbound(connection, arrived, nowNanos);
    DataAckProcessor processor = connection == null ? null : processor(connection);
    if (connection == null || processor == null || !splitsNow(connection, packet)) {
      toPipe(whole(connection, packet, nowNanos), packet, nowNanos);
    } else {
      perform(processor.outbound(packet, nowNanos), packet, nowNanos);
    }
    if (connection != null) {
      connection.countOutbound(packet.payloadLength());
    }
  }

  /**
   * The pipe for unsplit packets: the fastest that is not known to deliver nothing. A repeated SYN
   * tries the others, and later packets use the pipe that was answered.
   */
  private PipeId whole(@Nullable Connection connection, TcpPacket packet, long nowNanos) {
    if (connection == null || connection.repeatedSyns() == 0) {
      return pipes.quickest(nowNanos).id();
    }
    if (connection.openedByNear() && packet.syn()) {
      connection.openBy(pipes.inTurn(connection.repeatedSyns()).id());
    }
    PipeId openedBy = connection.openedBy();
    if (openedBy != null
        && pipes.at(openedBy).usable()
        && (packet.syn() || !pipes.at(openedBy).isSuspect(nowNanos))) {
      return openedBy;
    }
    return pipes.quickest(nowNanos).id();
  }

  /** Processes a packet from the far side that arrived over a pipe. */
  public void inbound(PipeId from, byte[] buffer, int length, long nowNanos) {
    inbound++;
    Packet parsed = parsed(buffer, length);
    if (!(parsed instanceof TcpPacket arrived)) {
      notTcp++;
      output.toNear(parsed);
      return;
    }
    Connection connection = handle(ConnectionId.ofInbound(arrived), arrived, false, nowNanos);
    if (connection != null && arrived.syn() && connection.isReopenedByFar()) {
      connection.openBy(from); // The pipe that reaches the far end, as far as known.
    }
    TcpPacket packet =
        connection == null ? arrived : signalling.inbound(connection, arrived, nowNanos);
    DataAckProcessor processor = connection == null ? null : processor(connection);
    if (connection == null || processor == null) {
      output.toNear(packet);
      return;
    }
    perform(processor.inbound(packet, from, nowNanos), packet, nowNanos);
    processor.handOut(output::toNear);
    watch(connection, processor);
  }

  private Packet parsed(byte[] buffer, int length) {
    Packet packet = PacketParser.parse(buffer, length);
    return packet instanceof TcpPacket tcp && tcp.syn()
        ? TcpRewrite.of(tcp).clampMaximumSegmentSize(settings.mostSegmentBytes()).packet()
        : packet;
  }

  /** Returns the record of a packet's connection; null if the packet passes unchanged. */
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
    if (connection.acknowledgesUnsent(packet, fromNear)) {
      unsentAcknowledged++;
      return null;
    }
    return connection;
  }

  /**
   * Returns the processor of a connection's packets; null while its answer has not been seen, or
   * while it is unknown whether there is a peer.
   */
  private @Nullable DataAckProcessor processor(Connection connection) {
    Mode mode = signalling.mode(connection);
    if (connection.processor() == null
        && mode != null
        && connection.state() != ConnectionState.PENDING) {
      PipeSet selected =
          pipes.select(settings.selection(), connection.id().near(), connection.id().far());
      connection.splitBy(mode.processor(selected, budget));
    }
    return connection.processor();
  }

  /**
   * Whether the processor chooses the packet's pipe. It always does for acknowledgments: an end
   * that only receives never sends as much as is required of data. After a repeated SYN they keep
   * the pipe that was answered, except in a pair, which knows over which pipes packets arrive.
   */
  private boolean splitsNow(Connection connection, TcpPacket packet) {
    if (!connection.signals().peer().splits()) {
      return false;
    }
    return packet.payloadLength() == 0
        ? connection.openedBy() == null || signalling.mode(connection) == Mode.PAIR
        : connection.outboundOctets() >= settings.admission().afterOctets();
  }

  /** Takes a message of the peer's signalling unit. */
  public void signalled(byte[] message) {
    signalling.arrived(message, connections::find);
  }

  private void perform(Operation operation, TcpPacket packet, long nowNanos) {
    switch (operation) {
      case Operation.Deliver(PipeId pipe) -> {
        split += packet.payloadLength() > 0 ? 1 : 0;
        toPipe(pipe, packet, nowNanos);
      }
      case Operation.DeliverNear() -> output.toNear(packet);
      case Operation.DeliverInstead(TcpPacket changed) -> output.toNear(changed);
      case Operation.Duplicate duplicate -> {
        split++;
        duplicated += duplicate.pipes().size() - 1;
        duplicate.pipes().forEach(pipe -> toPipe(pipe, packet, nowNanos));
      }
      case Operation.Delay() -> delayed++;
      case Operation.Drop() -> dropped++;
    }
  }

  /** Counts any packet as waiting before the pipe, since schedulers use that count. */
  private void toPipe(PipeId pipe, Packet packet, long nowNanos) {
    pipes.at(pipe).sent(packet.bytes().length, nowNanos);
    output.toPipe(pipe, packet);
  }

  private void watch(Connection connection, DataAckProcessor processor) {
    if (processor.nextNanos() == DataAckProcessor.NEVER) {
      waiting.remove(connection);
    } else {
      waiting.add(connection);
    }
  }

  /**
   * Runs what is due at a time, and drops silent connections.
   *
   * @param nowNanos all packets that had arrived by then were passed to {@link #inbound}
   */
  public void tick(long nowNanos) {
    for (Connection connection : Set.copyOf(waiting)) {
      DataAckProcessor processor = connection.processor();
      if (processor != null && processor.nextNanos() <= nowNanos) {
        processor.release(nowNanos, output::toNear);
        watch(connection, processor);
      }
    }
    signalling.tick(nowNanos);
    connections.sweep(nowNanos).forEach(this::end);
  }

  /**
   * Returns when {@link #tick} has something to do; {@link DataAckProcessor#NEVER} if it has not.
   */
  public long nextNanos() {
    long next = signalling.nextNanos();
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

  /** Passes on all held packets at the end. The records and their counts stay. */
  public void close() {
    for (Connection connection : waiting) {
      DataAckProcessor processor = connection.processor();
      if (processor != null) {
        processor.flush(output::toNear);
      }
    }
    waiting.clear();
  }

  /** The records of connections, in any order. */
  public List<Connection> connections() {
    return connections.all();
  }

  /** Returns the mode of a connection; null while it is unknown. */
  public @Nullable Mode mode(Connection connection) {
    return signalling.mode(connection);
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
        unsentAcknowledged,
        connections.count(),
        connections.refused(),
        budget.held(),
        budget.releasedPackets(),
        budget.releasedNanos(),
        processors);
  }
}
