package io.cascade.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** An address that does not answer connection requests: a listener whose queue is full. */
public final class SilentAddress implements AutoCloseable {
  /** More than enough to see that the kernel does not answer. */
  private static final int MILLIS = 100;

  private final ServerSocket full;
  private final List<Socket> queued = new ArrayList<>();

  /**
   * @param address of loopback
   */
  public SilentAddress(String address, int port) throws IOException {
    full = new ServerSocket(port, 1, InetAddress.ofLiteral(address));
    try {
      while (true) {
        Socket one = new Socket();
        queued.add(one);
        one.connect(full.getLocalSocketAddress(), MILLIS);
      }
    } catch (IOException e) {
      // The kernel no longer answers.
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket each : queued) {
      each.close();
    }
    full.close();
  }
}
