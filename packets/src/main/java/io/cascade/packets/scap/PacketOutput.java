package io.cascade.packets.scap;

import io.cascade.packets.header.Packet;
import io.cascade.packets.pipes.PipeId;

/** Destination of packets: the source's send_mp_packet, and the way to the near side. */
public interface PacketOutput {
  void toPipe(PipeId pipe, Packet packet);

  void toNear(Packet packet);

  /** A message to the peer's signalling unit; lost where there is no way for it. */
  void signal(byte[] message);
}
