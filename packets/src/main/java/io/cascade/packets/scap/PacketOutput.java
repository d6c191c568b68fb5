package io.cascade.packets.scap;

import io.cascade.packets.header.Packet;
import io.cascade.packets.pipes.PipeId;

/** Where packets go: the source's send_mp_packet, and the way to the near side. */
public interface PacketOutput {
  void toPipe(PipeId pipe, Packet packet);

  void toNear(Packet packet);
}
