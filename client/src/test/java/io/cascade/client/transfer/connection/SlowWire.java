package io.cascade.client.transfer.connection;

import io.cascade.api.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A port that carries connections on, with so many bytes a second at the most, and may reset them.
 * It takes little ahead of what it carries.
 */
public final class SlowWire implements AutoCloseable {
  private static final int STEP_NANOS = 5_000_000;
  private static final int BUFFER_BYTES = 16 * 1024;

  private final ServerSocket port;
  private final HostPort to;
  private final long bytesPerSecond;
  private final long breaksAfter;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private SlowWire(ServerSocket port, HostPort to, long bytesPerSecond, long breaksAfter) {
    this.port = port;
    this.to = to;
    this.bytesPerSecond = bytesPerSecond;
    this.breaksAfter = breaksAfter;
  }

  public static SlowWire to(HostPort to, long bytesPerSecond) throws IOException {
    return open(to, bytesPerSecond, Long.MAX_VALUE);
  }

  /**
   * @param breaksAfter so many bytes each connection is reset
   */
  public static SlowWire open(HostPort to, long bytesPerSecond, long breaksAfter)
      throws IOException {
    ServerSocket port = new ServerSocket();
    port.setReceiveBufferSize(BUFFER_BYTES);
    port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    SlowWire wire = new SlowWire(port, to, bytesPerSecond, breaksAfter);
    Thread.ofVirtual().start(wire::accept);
    return wire;
  }

  public HostPort address() {
    return new HostPort("127.0.0.1", port.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket client = port.accept();
        sockets.add(client);
        Socket onward;
        try {
          onward = new Socket(to.host(), to.port());
        } catch (IOException e) {
          reset(client); // Nobody is there at present.
          continue;
        }
        sockets.add(onward);
        Thread.ofVirtual().start(() -> carry(client, onward, bytesPerSecond));
        Thread.ofVirtual().start(() -> carry(onward, client, 1L << 40));
      }
    } catch (IOException e) {
      // The wire was closed.
    }
  }

  private void carry(Socket from, Socket onward, long rate) {
    byte[] buffer = new byte[Math.clamp(rate * STEP_NANOS / 1_000_000_000L, 1, BUFFER_BYTES)];
    long carried = 0;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = onward.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        carried += read;
        if (carried >= breaksAfter) {
          throw new IOException("broken");
        }
        LockSupport.parkNanos(read * 1_000_000_000L / rate);
      }
      onward.shutdownOutput();
    } catch (IOException e) {
      reset(from);
      reset(onward);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  @Override
  public void close() throws IOException {
    port.close();
    sockets.forEach(SlowWire::reset);
  }
}
