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
 * A proxy in front of an orchestrator that counts the bytes of both directions, and measures the
 * time from each HTTP/1.1 request to the first byte of its answer. While the orchestrator refuses
 * connections, the proxy's port refuses them too, so that clients behave as without the proxy.
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
   * Opens a port on loopback.
   *
   * @param answers receives the times from requests to answers
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

  /** Accepts connections until the port refuses them. */
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
      // The peer has closed.
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
      // One end has closed, so both are closed.
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
      // The peer has closed.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    refuse();
  }
}
