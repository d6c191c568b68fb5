package io.cascade.client.transfer;

import io.cascade.api.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes connections by name, with failures that a person understands. */
public final class Connections {
  private Connections() {}

  /**
   * Tries each of the host's addresses in turn.
   *
   * @throws TransferFailed naming the peer and why it could not be reached
   */
  public static SocketChannel connect(HostPort to, Duration timeout) throws TransferFailed {
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(to.host());
    } catch (UnknownHostException e) {
      throw new TransferFailed("cannot connect to " + to + ": no such host", e);
    }
    IOException last = new IOException("no address");
    for (InetAddress address : addresses) {
      @Nullable SocketChannel connection = null;
      try {
        connection = SocketChannel.open();
        // Before it connects: a peer may reset it at once.
        connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connection.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        connection.socket().connect(new InetSocketAddress(address, to.port()), millis(timeout));
        return connection;
      } catch (IOException e) {
        last = e;
        closeQuietly(connection);
      }
    }
    String why =
        last instanceof SocketTimeoutException
            ? "no answer within " + timeout.toSeconds() + " s"
            : String.valueOf(last.getMessage()).toLowerCase(java.util.Locale.ROOT);
    throw new TransferFailed("cannot connect to " + to + ": " + why, last);
  }

  private static int millis(Duration timeout) {
    return Math.toIntExact(timeout.toMillis());
  }

  private static void closeQuietly(@Nullable SocketChannel connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        // It never carried anything.
      }
    }
  }
}
