package io.cascade.packets.header;

/** An IP packet as it came, looked at no deeper than its use needs. */
public sealed interface Packet permits TcpPacket, OtherPacket {
  /** The whole packet from its IP header on. Not to be changed. */
  byte[] bytes();
}
