package io.cascade.packets.connections;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.TcpPacket;

/**
 * A TCP connection, as seen from a splitter/combiner: the near end is on its own side, the far end
 * behind the pipes. The same for both directions.
 */
public record ConnectionId(IpAddress near, int nearPort, IpAddress far, int farPort) {
  /** The connection of a packet sent to the far side. */
  public static ConnectionId ofOutbound(TcpPacket packet) {
    return new ConnectionId(
        packet.source(), packet.sourcePort(), packet.destination(), packet.destinationPort());
  }

  /** The connection of a packet from the far side. */
  public static ConnectionId ofInbound(TcpPacket packet) {
    return new ConnectionId(
        packet.destination(), packet.destinationPort(), packet.source(), packet.sourcePort());
  }

  @Override
  public String toString() {
    return "%s:%d-%s:%d".formatted(near, nearPort, far, farPort);
  }
}
