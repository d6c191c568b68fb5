package io.cascade.carriage.socket;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;

/** Opens UDP ports that receive from many peers. */
public final class UdpPorts {
  private UdpPorts() {}

  /**
   * Opens a port.
   *
   * @param at the address and number; 0 chooses a free one
   * @param shared whether other sockets of this user may share the port
   * @throws BindException naming the port, if it is taken
   */
  public static DatagramChannel open(InetSocketAddress at, boolean shared) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      if (shared) {
        channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      }
      channel.bind(at);
      return channel;
    } catch (BindException e) {
      channel.close();
      BindException named = new BindException("UDP port " + at + ": " + e.getMessage());
      named.initCause(e);
      throw named;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }
}
