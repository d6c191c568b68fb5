package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.Connections;
import io.cascade.client.transfer.TransferFailed;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Straight to the far junction, through no relay. */
public record DirectDialer(HostPort to) implements PipeDialer {
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "direct";
  }

  @Override
  public SocketChannel connect() throws IOException {
    return connect(to);
  }

  static SocketChannel connect(HostPort to) throws IOException {
    try {
      return Connections.connect(to, CONNECT_TIMEOUT);
    } catch (TransferFailed e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
