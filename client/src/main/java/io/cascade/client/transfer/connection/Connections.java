package io.cascade.client.transfer.connection;

import io.cascade.api.HostPort;
import io.cascade.command.names.NamedPeer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Locale;

/** Dials connections by host name, with failures explained for users. */
public final class Connections {
  private Connections() {}

  /**
   * Connects to the first of the host's addresses that answers.
   *
   * @param timeout of each address
   * @throws TransferFailed naming the peer and why it could not be reached
   */
  public static SocketChannel connect(HostPort to, Duration timeout) throws TransferFailed {
    try {
      return NamedPeer.resolve(to.host(), to.port()).connect(timeout);
    } catch (UnknownHostException e) {
      throw new TransferFailed("cannot connect to " + to + ": no such host", e);
    } catch (SocketTimeoutException e) {
      throw TransferFailed.notReached(
          "cannot connect to %s: no answer within %d s".formatted(to, timeout.toSeconds()));
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      throw TransferFailed.notReached("cannot connect to " + to + ": " + why);
    }
  }
}
