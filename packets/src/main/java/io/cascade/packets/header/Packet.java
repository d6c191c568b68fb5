package io.cascade.packets.header;

/** A received IP packet, parsed only as far as needed. */
public sealed interface Packet permits TcpPacket, OtherPacket {
  /** The whole packet from its IP header on, not to be changed. */
  byte[] bytes();
}
