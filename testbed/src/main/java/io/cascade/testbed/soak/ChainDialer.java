package io.cascade.testbed.soak;

import io.cascade.client.forward.PipeDialer;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A chain of the cluster as a route of pipes. */
record ChainDialer(Cluster.Line line) implements PipeDialer {
  @Override
  public String name() {
    return line.name();
  }

  @Override
  public SocketChannel connect() throws IOException {
    return SocketChannel.open(line.way());
  }
}
