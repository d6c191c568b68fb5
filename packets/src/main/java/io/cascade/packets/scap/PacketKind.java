package io.cascade.packets.scap;

import io.cascade.packets.header.TcpPacket;

/** What a TCP packet is for: the source's packet classifier, its section 3.4. */
public enum PacketKind {
  /** With SYN: the connection handler's. */
  ESTABLISHMENT,
  /** With FIN or RST: the connection handler's, and the processor's where data comes with it. */
  RELEASE,
  DATA,
  ACKNOWLEDGMENT,
  /** Neither data nor ACK. No connection has such packets. */
  NOTHING;

  /** Looks at the flags and the length alone. */
  public static PacketKind of(TcpPacket packet) {
    if (packet.syn()) {
      return ESTABLISHMENT;
    }
    if (packet.fin() || packet.rst()) {
      return RELEASE;
    }
    if (packet.payloadLength() > 0) {
      return DATA;
    }
    return packet.ack() ? ACKNOWLEDGMENT : NOTHING;
  }
}
