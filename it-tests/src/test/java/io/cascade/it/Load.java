package io.cascade.it;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Streams of known bytes, one after the other on every lane, into a destination that answers each
 * with the digest of what it got. Of every stream it is known how it ended, at both ends.
 */
final class Load implements AutoCloseable {
  /** How a stream ended, as its sender or, where that is worse, its destination saw it. */
  enum End {
    /** The destination answered with the digest of all that was sent. */
    WHOLE,
    /** Broken, and both ends were told. */
    RESET,
    /** Never begun: nobody took the connection. */
    REFUSED,
    /** It ended as if all were well, and bytes were missing. Must not happen. */
    SHORT,
    /** All bytes came, and others than were sent. Must not happen. */
    CHANGED,
    /** Nothing happened for a minute. Must not happen. */
    HUNG
  }

  private static final int BYTES = 4 << 20;
  private static final int PIECE = 128 << 10;

  /** About 8 MiB a second and lane: the faults are what is tested, not the processors. */
  private static final long REST_NANOS = 15_000_000;

  private static final long REST_AFTER_FAILURE_NANOS = 100_000_000;
  private static final int CONNECT_MILLIS = 5_000;
  private static final int HUNG_MILLIS = 60_000;

  private final ServerSocket destination;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<String, Map<End, Long>> ends = new HashMap<>();
  private final List<Lane> lanes = new ArrayList<>();

  /** What the destination has got of streams that run, for the account of one that hangs. */
  private final Map<Long, Long> arriving = new ConcurrentHashMap<>();

  private volatile boolean over;

  private record Lane(String chain, Thread thread) {}

  Load() throws IOException {
    destination = new ServerSocket(0);
    Thread.startVirtualThread(this::serve);
  }

  int port() {
    return destination.getLocalPort();
  }

  /** Begins to send. */
  void lane(String chain, InetSocketAddress ingress) {
    lanes.add(
        new Lane(
            chain,
            Thread.startVirtualThread(() -> {
              while (!over) {
                End end = send(ingress, numbers.incrementAndGet());
                count(chain, end);
                if (end != End.WHOLE) {
                  LockSupport.parkNanos(REST_AFTER_FAILURE_NANOS);
                }
              }
            })));
  }

  private synchronized void count(String chain, End end) {
    ends.computeIfAbsent(chain, _ -> new EnumMap<>(End.class)).merge(end, 1L, Long::sum);
  }

  synchronized long count(End end) {
    return ends.values().stream().mapToLong(one -> one.getOrDefault(end, 0L)).sum();
  }

  /** How a chain's streams ended so far. */
  synchronized Map<End, Long> ends(String chain) {
    EnumMap<End, Long> counts = new EnumMap<>(End.class);
    counts.putAll(ends.getOrDefault(chain, Map.of()));
    return counts;
  }

  long whole(String chain) {
    return ends(chain).getOrDefault(End.WHOLE, 0L);
  }

  private End send(InetSocketAddress ingress, long number) {
    try (Socket socket = new Socket()) {
      try {
        socket.connect(ingress, CONNECT_MILLIS);
      } catch (IOException e) {
        return End.REFUSED;
      }
      socket.setSoTimeout(HUNG_MILLIS);
      OutputStream out = socket.getOutputStream();
      out.write(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
      MessageDigest digest = sha256();
      SplittableRandom random = new SplittableRandom(number);
      byte[] piece = new byte[PIECE];
      for (int sent = 0; sent < BYTES; sent += PIECE) {
        random.nextBytes(piece);
        digest.update(piece);
        out.write(piece);
        LockSupport.parkNanos(REST_NANOS);
      }
      socket.shutdownOutput();
      byte[] answer = socket.getInputStream().readAllBytes();
      if (answer.length < digest.getDigestLength()) {
        return End.SHORT;
      }
      return MessageDigest.isEqual(answer, digest.digest()) ? End.WHOLE : End.CHANGED;
    } catch (SocketTimeoutException e) {
      System.out.printf(
          "stream %d hangs: the destination has %s bytes%n", number, arriving.get(number));
      return End.HUNG;
    } catch (IOException e) {
      return End.RESET;
    }
  }

  /** Serves until it is closed: streams that were begun before the end arrive after it. */
  private void serve() {
    while (true) {
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
      long number = new DataInputStream(stream.getInputStream()).readLong();
      try {
        stream.getOutputStream().write(digest(stream, number));
      } finally {
        arriving.remove(number);
      }
    } catch (EOFException e) {
      count("at the destination", End.SHORT);
    } catch (IOException e) {
      // Reset, as the sender will say.
    }
  }

  private byte[] digest(Socket stream, long number) throws IOException {
    InputStream in = stream.getInputStream();
    MessageDigest digest = sha256();
    byte[] piece = new byte[PIECE];
    long got = 0;
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      digest.update(piece, 0, read);
      got += read;
      arriving.put(number, got);
    }
    if (got < BYTES) {
      System.out.printf("stream %d ended cleanly after %d of %d bytes%n", number, got, BYTES);
      count("at the destination", End.SHORT);
    }
    return digest.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends after the streams that run. One whose sender cannot go on either counts as hung. */
  void finish() throws InterruptedException {
    over = true;
    for (Lane lane : lanes) {
      if (!lane.thread().join(Duration.ofMillis(2 * HUNG_MILLIS))) {
        count(lane.chain(), End.HUNG);
      }
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    destination.close();
  }
}
