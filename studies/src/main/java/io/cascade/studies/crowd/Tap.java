package io.cascade.studies.crowd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A port that leads to an orchestrator, counts the bytes of both directions, and times how long
 * each request of HTTP/1.1 waits for the first byte of its answer. While the orchestrator refuses
 * connections, the port does as well: clients find it away at the cost that they would have without
 * the tap.
 */
final class Tap implements AutoCloseable {
  private static final int BACKLOG = 4_096;
  private static final int BUFFER_BYTES = 16 * 1_024;

  private static final int BETWEEN_LOOKS_MILLIS = 20;

  private final InetSocketAddress address;
  private final InetSocketAddress orchestrator;
  private final Latencies answers;
  private final LongAdder bytes = new LongAdder();
  private final Thread thread;
  private volatile ServerSocket listening;

  private Tap(ServerSocket listening, InetSocketAddress orchestrator, Latencies answers) {
    this.listening = listening;
    this.address = (InetSocketAddress) listening.getLocalSocketAddress();
    this.orchestrator = orchestrator;
    this.answers = answers;
    this.thread = Thread.ofPlatform().daemon().name("tap").unstarted(this::serve);
  }

  /**
   * Opens a port of loopback.
   *
   * @param answers gets the times that requests wait
   */
  static Tap open(URI orchestrator, Latencies answers) throws IOException {
    Tap tap =
        new Tap(
            new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()),
            new InetSocketAddress(orchestrator.getHost(), orchestrator.getPort()),
            answers);
    tap.thread.start();
    return tap;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + address.getPort());
  }

  /** Bytes of both directions since the last call. */
  long bytes() {
    return bytes.sumThenReset();
  }

  private void serve() {
    try {
      while (!thread.isInterrupted()) {
        accept();
        while (!isOrchestratorThere()) {
          TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        }
        listening = new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
      }
    } catch (InterruptedException e) {
      // closed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      refuse();
    }
  }

  /** Returns when the port refuses connections. */
  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.startVirtualThread(() -> connect(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private boolean isOrchestratorThere() {
    try (Socket server = new Socket()) {
      server.connect(orchestrator);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void refuse() {
    try {
      listening.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  private void connect(Socket client) {
    AtomicLong askedAt = new AtomicLong();
    try (client;
        Socket server = new Socket()) {
      try {
        server.connect(orchestrator);
      } catch (ConnectException e) {
        refuse();
        throw e;
      }
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      Thread back = Thread.startVirtualThread(() -> answer(server, client, askedAt));
      try {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
          askedAt.set(System.nanoTime());
          bytes.add(length);
          out.write(buffer, 0, length);
        }
      } finally {
        server.close();
        back.join();
      }
    } catch (IOException e) {
      // Either end is gone, and so are both.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(Socket server, Socket client, AtomicLong askedAt) {
    try {
      byte[] buffer = new byte[BUFFER_BYTES];
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
        long asked = askedAt.getAndSet(0);
        if (asked != 0) {
          answers.record(System.nanoTime() - asked);
        }
        bytes.add(length);
        out.write(buffer, 0, length);
      }
    } catch (IOException e) {
      // as above
    } finally {
      close(client);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    refuse();
  }
}
