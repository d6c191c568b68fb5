package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.transport.Connection;
import java.io.IOException;
import java.util.function.LongConsumer;

/** Dials the connections of pipes over TCP. */
public final class TcpPipes {
  private TcpPipes() {}

  /**
   * Connects to the first of the host's addresses that answers.
   *
   * @param changesControl whether the connection may switch to another congestion control than the
   *     host's default when it loses packets
   * @throws IOException naming the peer and why it could not be reached
   */
  public static BlockingConnection connect(HostPort to, boolean changesControl) throws IOException {
    return connect(to, changesControl, _ -> {});
  }

  /**
   * @param path is told of losses, as by {@link LossWatch}
   */
  static BlockingConnection connect(HostPort to, boolean changesControl, LongConsumer path)
      throws IOException {
    Connection connection = TcpEnds.connect(to, TcpEnds.PIPES, TcpEnds.nextLoop());
    LossWatch.begin(connection, changesControl, path);
    return BlockingConnection.of(connection);
  }
}
