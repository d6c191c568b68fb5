package io.cascade.carriage.coded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A path of TCP that carries no more than a rate each way, as where TCP loses much. */
final class SlowTcp implements AutoCloseable {
  private static final int PIECE_BYTES = 2_048;

  private final InetSocketAddress to;
  private final double bitsPerSecond;
  private final ServerSocket listening;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  SlowTcp(InetSocketAddress to, double bitsPerSecond) throws IOException {
    this.to = to;
    this.bitsPerSecond = bitsPerSecond;
    this.listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  private static void start(Runnable task) {
    Thread.ofPlatform().daemon().name("slow-tcp").start(task);
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listening.accept();
        Socket far = new Socket(to.getAddress(), to.getPort());
        sockets.add(near);
        sockets.add(far);
        start(() -> carry(near, far));
        start(() -> carry(far, near));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void carry(Socket from, Socket into) {
    byte[] piece = new byte[PIECE_BYTES];
    try (from;
        into) {
      InputStream in = from.getInputStream();
      OutputStream out = into.getOutputStream();
      int length = in.read(piece);
      while (length > 0) {
        TimeUnit.NANOSECONDS.sleep((long) (8e9 * length / bitsPerSecond));
        out.write(piece, 0, length);
        length = in.read(piece);
      }
    } catch (IOException e) {
      // One end has closed it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket each : sockets) {
      each.close();
    }
  }
}
