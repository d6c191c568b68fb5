package io.cascade.api.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers every request with the same octets, as well or ill as a test wants. */
final class RawPeer implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final Script script;
  final AtomicInteger requests = new AtomicInteger();

  private final Semaphore abandoned = new Semaphore(0);

  /** What is sent once a request has come. The connection is closed when it returns. */
  @FunctionalInterface
  interface Script {
    void answer(Wire wire) throws IOException, InterruptedException;
  }

  RawPeer(Script script) throws IOException {
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** Waits until the client has closed a connection whose answer was not at its end. */
  void awaitAbandoned() throws InterruptedException {
    abandoned.acquire();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      StringBuilder request = new StringBuilder();
      while (request.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
          return;
        }
        request.append((char) next);
      }
      requests.incrementAndGet();
      script.answer(new Wire(socket));
    } catch (IOException e) {
      abandoned.release();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /** One connection, after its request. */
  record Wire(Socket socket) {
    void send(String octets) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(octets.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    /** Returns by an exception: when the client has closed the connection. */
    void holdOpen() throws IOException {
      while (socket.getInputStream().read() >= 0) {}
      throw new IOException("the client closed the connection");
    }

    /** Sends the octets again and again until the client has closed the connection. */
    void repeat(String octets, long pauseMillis) throws IOException, InterruptedException {
      while (true) {
        send(octets);
        if (pauseMillis > 0) {
          Thread.sleep(pauseMillis);
        }
      }
    }
  }
}
