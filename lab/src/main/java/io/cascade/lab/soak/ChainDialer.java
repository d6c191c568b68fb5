package io.cascade.lab.soak;

import io.cascade.client.forward.PipeChannel;
import io.cascade.client.forward.PipeDialer;
import io.cascade.client.forward.TcpPipe;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A chain of the cluster as a route of pipes. */
public record ChainDialer(Cluster.Line line) implements PipeDialer {
  @Override
  public String name() {
    return line.name();
  }

  @Override
  public PipeChannel connect() throws IOException {
    return new TcpPipe(SocketChannel.open(line.way()), true);
  }
}
