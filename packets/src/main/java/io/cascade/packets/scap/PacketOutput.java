package io.cascade.packets.scap;

import io.cascade.packets.header.Packet;
import io.cascade.packets.pipes.PipeId;

/** Receiver of packets: the source's send_mp_packet, and the near side. */
public interface PacketOutput {
  void toPipe(PipeId pipe, Packet packet);

  void toNear(Packet packet);

  /** Sends a message to the peer's signalling unit; lost if that is not possible. */
  void signal(byte[] message);
}
