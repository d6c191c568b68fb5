package io.cascade.studies.survival;

import io.cascade.command.CommandException;
import io.cascade.command.Digests;
import io.cascade.lab.soak.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A stream of random bytes at a steady rate, with measurements at its destination. */
final class SteadyStream implements AutoCloseable {
  private static final int PIECE = 32 << 10;
  private static final Duration EVERY = Duration.ofMillis(2);
  private static final int SILENCE_MILLIS = 60_000;

  private final ServerSocket listening;
  private CompletableFuture<byte[]> sent = new CompletableFuture<>();
  private CompletableFuture<byte[]> arrived = new CompletableFuture<>();
  private volatile boolean over;
  private long octets;
  private long lastNanos;
  private long longestNanos;

  SteadyStream() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Starts the stream; returns once bytes arrive. */
  void start(InetSocketAddress ingress) throws InterruptedException {
    arrived = CompletableFuture.supplyAsync(this::take, Thread::startVirtualThread);
    sent = CompletableFuture.supplyAsync(() -> send(ingress), Thread::startVirtualThread);
    Cluster.until("the stream to begin", () -> octets() > 0);
  }

  private byte[] send(InetSocketAddress ingress) {
    try (Socket socket = new Socket(ingress.getAddress(), ingress.getPort())) {
      socket.setSoTimeout(SILENCE_MILLIS);
      OutputStream out = socket.getOutputStream();
      MessageDigest digest = Digests.sha256();
      SplittableRandom random = new SplittableRandom(1);
      byte[] piece = new byte[PIECE];
      long next = System.nanoTime();
      while (!over) {
        random.nextBytes(piece);
        digest.update(piece);
        out.write(piece);
        next += EVERY.toNanos();
        LockSupport.parkNanos(next - System.nanoTime());
      }
      socket.shutdownOutput();
      if (socket.getInputStream().read() >= 0) {
        throw new CommandException("the destination said something");
      }
      return digest.digest();
    } catch (IOException e) {
      throw new CommandException("the stream broke at its source: " + e.getMessage(), e);
    }
  }

  private byte[] take() {
    try (Socket socket = listening.accept()) {
      socket.setSoTimeout(SILENCE_MILLIS);
      InputStream in = socket.getInputStream();
      MessageDigest digest = Digests.sha256();
      byte[] piece = new byte[PIECE];
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        digest.update(piece, 0, read);
        arrived(read);
      }
      socket.shutdownOutput();
      return digest.digest();
    } catch (IOException e) {
      throw new CommandException("the stream broke at its destination: " + e.getMessage(), e);
    }
  }

  private synchronized void arrived(int read) {
    long now = System.nanoTime();
    if (octets > 0) {
      longestNanos = Math.max(longestNanos, now - lastNanos);
    }
    lastNanos = now;
    octets += read;
  }

  synchronized long octets() {
    return octets;
  }

  /** The longest time without a byte since the last call, including a gap that has not ended. */
  synchronized double longestGapMillis() {
    double gap = Math.max(longestNanos, System.nanoTime() - lastNanos) / 1e6;
    longestNanos = 0;
    return gap;
  }

  /**
   * Ends the stream; returns whether all bytes arrived unchanged and both ends were closed without
   * an error.
   */
  boolean finish() {
    over = true;
    return Arrays.equals(sent.join(), arrived.join());
  }

  @Override
  public void close() throws IOException {
    over = true;
    listening.close();
  }
}
