package io.cascade.lab.soak;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.client.forward.PipeDialler;
import io.cascade.client.forward.TcpPipes;
import java.io.IOException;

/** A chain of the cluster as a route of pipes. */
record ChainDialler(Cluster.Line line) implements PipeDialler {
  @Override
  public String name() {
    return line.name();
  }

  @Override
  public BlockingConnection connect() throws IOException {
    return TcpPipes.connect(new HostPort(line.way().getHostString(), line.way().getPort()), true);
  }
}
