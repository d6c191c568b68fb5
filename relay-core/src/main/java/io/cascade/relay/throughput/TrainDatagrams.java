package io.cascade.relay.throughput;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sends from the relay's UDP port. A datagram that the system does not send counts as lost. */
@FunctionalInterface
public interface TrainDatagrams {
  void send(ByteBuffer datagram, InetSocketAddress to);
}
