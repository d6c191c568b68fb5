package io.cascade.it;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/** Streams that go on until they are told to stop, into a destination that takes its time. */
final class Traffic implements AutoCloseable {
  private static final int PIECE = 256 << 10;
  private static final long REST_NANOS = 20_000_000; // About 12 MiB a second.

  private final ServerSocket destination;
  private volatile boolean over;

  Traffic() throws IOException {
    destination = new ServerSocket(0);
    Thread.startVirtualThread(this::serve);
  }

  int port() {
    return destination.getLocalPort();
  }

  /** One stream that ends by itself. */
  void send(InetSocketAddress ingress, long bytes) throws IOException {
    try (Socket client = new Socket()) {
      client.connect(ingress);
      byte[] piece = new byte[PIECE];
      for (long sent = 0; sent < bytes; sent += PIECE) {
        client.getOutputStream().write(piece, 0, (int) Math.min(PIECE, bytes - sent));
      }
      client.shutdownOutput();
      client.getInputStream().readAllBytes();
    }
  }

  /** One stream that does not. */
  void flow(InetSocketAddress ingress) {
    Thread.startVirtualThread(() -> {
      try (Socket client = new Socket()) {
        client.connect(ingress);
        byte[] piece = new byte[PIECE];
        while (!over) {
          client.getOutputStream().write(piece);
        }
      } catch (IOException e) {
        // The chain was closed: the test is over.
      }
    });
  }

  private void serve() {
    while (!over) {
      try {
        Socket stream = destination.accept();
        Thread.startVirtualThread(() -> take(stream));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void take(Socket stream) {
    try (stream) {
      byte[] buffer = new byte[PIECE];
      while (stream.getInputStream().readNBytes(buffer, 0, PIECE) > 0) {
        LockSupport.parkNanos(REST_NANOS);
      }
    } catch (IOException e) {
      // Reset with its chain.
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    destination.close();
  }
}
