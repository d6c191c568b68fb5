package io.cascade.client.forward;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A pipe over a TCP connection, which responds to its losses. */
public final class TcpPipe implements PipeChannel {
  private final SocketChannel connection;
  private final LossWatch losses;

  /**
   * @param changesControl whether the connection may take another congestion control than the
   *     host's default where it loses packets
   */
  public TcpPipe(SocketChannel connection, boolean changesControl) throws IOException {
    this(connection, changesControl, LossWatch.Path.NONE);
  }

  /**
   * @param path is told of losses
   */
  TcpPipe(SocketChannel connection, boolean changesControl, LossWatch.Path path)
      throws IOException {
    this.connection = connection;
    this.losses = new LossWatch(connection, changesControl, path);
    // Whatever ends this process resets the connection; a clean end says so itself.
    connection.setOption(StandardSocketOptions.SO_LINGER, 0);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int read = connection.read(into);
    losses.moved(read);
    return read;
  }

  @Override
  public void write(ByteBuffer... octets) throws IOException {
    ByteBuffer last = octets[octets.length - 1];
    while (last.hasRemaining()) {
      losses.moved(connection.write(octets));
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    connection.shutdownOutput();
  }

  @Override
  public boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      if (connection.isOpen()) {
        connection.setOption(StandardSocketOptions.SO_LINGER, -1);
      }
    }
  }

  @Override
  public void reset() {
    try {
      connection.close();
    } catch (IOException e) {
      // It is gone.
    }
  }
}
