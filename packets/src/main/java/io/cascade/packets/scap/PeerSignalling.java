package io.cascade.packets.scap;

import io.cascade.packets.connections.Connection;
import io.cascade.packets.connections.ConnectionId;
import io.cascade.packets.connections.PeerState;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.signalling.InBand;
import io.cascade.packets.signalling.OutOfBand;
import io.cascade.packets.signalling.SignallingMethod;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks for a peer by the configured methods, and decides by the answers how to process packets. */
final class PeerSignalling {
  private final Mode mode;
  private final SignallingMethod method;
  private final InBand inBand;
  private final OutOfBand outOfBand = new OutOfBand();
  private final Consumer<byte[]> send;

  PeerSignalling(ScapSettings settings, int token, Consumer<byte[]> send) {
    this.mode = settings.mode();
    this.method = mode == Mode.PAIR ? settings.signalling() : SignallingMethod.NONE;
    this.inBand = new InBand(token, method);
    this.send = send;
  }

  TcpPacket outbound(Connection connection, TcpPacket packet, long nowNanos) {
    if (method == SignallingMethod.NONE) {
      connection.signals().assume();
      return packet;
    }
    TcpPacket said = method.usesOption() ? inBand.outbound(connection, packet, nowNanos) : packet;
    considerMessage(connection, nowNanos);
    return said;
  }

  TcpPacket inbound(Connection connection, TcpPacket packet, long nowNanos) {
    if (method == SignallingMethod.NONE) {
      connection.signals().assume();
      return packet;
    }
    TcpPacket heard = method.usesOption() ? inBand.inbound(connection, packet) : packet;
    considerMessage(connection, nowNanos);
    return heard;
  }

  private void considerMessage(Connection connection, long nowNanos) {
    if (method.usesMessages()) {
      outOfBand.consider(connection, nowNanos, send);
    }
  }

  void arrived(byte[] message, Function<ConnectionId, @Nullable Connection> records) {
    if (method.usesMessages()) {
      outOfBand.arrived(message, records, send);
    }
  }

  /** Returns the mode of a connection; null while it is unknown. */
  @Nullable Mode mode(Connection connection) {
    PeerState peer = connection.signals().peer();
    if (mode != Mode.PAIR || peer.combines()) {
      return mode;
    }
    return peer == PeerState.ABSENT ? Mode.DEF_PLUS : null;
  }

  void tick(long nowNanos) {
    outOfBand.tick(nowNanos, send);
  }

  long nextNanos() {
    return outOfBand.nextNanos();
  }
}
