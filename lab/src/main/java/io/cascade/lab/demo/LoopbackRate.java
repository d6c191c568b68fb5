package io.cascade.lab.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Rate of one connection over loopback on this host, limited by the processor only. */
final class LoopbackRate {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int WARM_UP = 64;
  private static final int MEASURED = 256;

  private LoopbackRate() {}

  /**
   * Moves some hundred MiB between two sockets of this process.
   *
   * @return bits per second
   */
  static long measure() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread sender = Thread.ofPlatform().daemon().name("loopback").start(() -> send(server));
      try (SocketChannel from = server.accept()) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        read(from, buffer, (long) WARM_UP * BUFFER_BYTES);
        long start = System.nanoTime();
        long bytes = read(from, buffer, Long.MAX_VALUE);
        long nanos = Math.max(1, System.nanoTime() - start);
        return Math.max(1, Math.round(bytes * 8e9 / nanos));
      } finally {
        sender.interrupt();
      }
    }
  }

  private static void send(ServerSocketChannel server) {
    try (SocketChannel to = SocketChannel.open(server.getLocalAddress())) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      for (int i = 0; i < WARM_UP + MEASURED; i++) {
        buffer.clear();
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
      }
    } catch (IOException e) {
      // The reader sees the end.
    }
  }

  /** Reads at least so many bytes, or to the end. */
  private static long read(SocketChannel from, ByteBuffer buffer, long wanted) throws IOException {
    long bytes = 0;
    while (bytes < wanted) {
      int read = from.read(buffer.clear());
      if (read < 0) {
        break;
      }
      bytes += read;
    }
    return bytes;
  }
}
