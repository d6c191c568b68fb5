package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Stands where a chain's relays would: copies bytes until it is killed, and resets all then. */
final class Forwarder implements PipeDialler, AutoCloseable {
  private final String name;
  private final HostPort to;
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong copied = new AtomicLong();
  private volatile boolean paused;

  Forwarder(String name, HostPort to) throws IOException {
    this.name = name;
    this.to = to;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public BlockingConnection connect() throws IOException {
    return TcpPipes.connect(new HostPort("127.0.0.1", server.getLocalPort()), true);
  }

  long copied() {
    return copied.get();
  }

  int connections() {
    return sockets.size() / 2;
  }

  /** Resets every connection; those to come are taken again. */
  void cut() {
    for (Socket socket : sockets) {
      reset(socket);
    }
  }

  /** Takes bytes no more, and says nothing. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket in = server.accept();
        Thread.startVirtualThread(() -> serve(in));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket in) {
    try (Socket out = new Socket(to.host(), to.port())) {
      sockets.add(in);
      sockets.add(out);
      Thread back = Thread.startVirtualThread(() -> copy(out, in));
      copy(in, out);
      back.join();
    } catch (IOException | InterruptedException e) {
      // Over.
    } finally {
      reset(in);
      sockets.remove(in);
      sockets.removeIf(Socket::isClosed);
    }
  }

  private void copy(Socket from, Socket into) {
    byte[] piece = new byte[16_384];
    try {
      for (int read = from.getInputStream().read(piece);
          read >= 0;
          read = from.getInputStream().read(piece)) {
        while (paused) {
          Thread.sleep(5);
        }
        into.getOutputStream().write(piece, 0, read);
        copied.addAndGet(read);
      }
      into.shutdownOutput();
    } catch (IOException | InterruptedException e) {
      reset(from);
      reset(into);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // Gone.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
