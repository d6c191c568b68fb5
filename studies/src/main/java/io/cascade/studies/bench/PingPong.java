package io.cascade.studies.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.HdrHistogram.Histogram;

/** One stream with round trips of 64 bytes, one after the other. */
final class PingPong {
  private static final long HIGHEST_NANOS = 10_000_000_000L;
  private static final int DIGITS = 3;

  private PingPong() {}

  /**
   * @return duration of each round trip, in nanoseconds
   * @throws IOException if the stream broke, or the answer differs from the message
   */
  static Histogram measure(int port, double seconds) throws IOException {
    Histogram nanos = new Histogram(HIGHEST_NANOS, DIGITS);
    try (Arena arena = Arena.ofConfined();
        TcpSocket socket = TcpSocket.connect(port)) {
      MemorySegment ping = arena.allocate(Message.BYTES, 8);
      MemorySegment pong = arena.allocate(Message.BYTES, 8);
      long deadline = System.nanoTime() + (long) (seconds * 1e9);
      long now = System.nanoTime();
      for (long serial = 0; now < deadline; serial++) {
        Message.write(ping, Message.Purpose.ECHO, serial);
        long sent = System.nanoTime();
        socket.writeFully(ping);
        socket.readFully(pong);
        now = System.nanoTime();
        nanos.recordValue(now - sent);
        if (ping.mismatch(pong) >= 0) {
          throw new IOException("message " + serial + " came back changed");
        }
      }
      socket.shutdownOutput();
      if (socket.read(pong) != 0) {
        throw new IOException("bytes came back that nobody had sent");
      }
    }
    return nanos;
  }
}
