package io.cascade.relay.throughput;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sends from the relay's UDP port. What the system does not send is lost, as on a network. */
@FunctionalInterface
public interface TrainDatagrams {
  void send(ByteBuffer datagram, InetSocketAddress to);
}
