package io.cascade.it;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port of loopback that leads to another one, until it is cut: nothing passes then, no connection
 * ends, and what was sent meanwhile arrives once it is mended.
 */
final class CuttablePath implements AutoCloseable {
  private static final int PIECE = 64 << 10;

  private final int to;
  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private boolean isCut;

  CuttablePath(int to) throws IOException {
    this.to = to;
    entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::serve);
  }

  int port() {
    return entrance.getLocalPort();
  }

  synchronized void cut() {
    isCut = true;
  }

  synchronized void mend() {
    isCut = false;
    notifyAll();
  }

  private synchronized void awaitMended() throws InterruptedException {
    while (isCut) {
      wait();
    }
  }

  private void serve() {
    while (true) {
      try {
        Socket from = entrance.accept();
        open.add(from);
        Thread.startVirtualThread(() -> carry(from));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void carry(Socket from) {
    try (from) {
      awaitMended();
      try (Socket onward = new Socket(InetAddress.getLoopbackAddress(), to)) {
        open.add(onward);
        Thread back = Thread.startVirtualThread(() -> pass(onward, from));
        pass(from, onward);
        back.join();
        open.remove(onward);
      }
    } catch (IOException e) {
      // Nobody is there: the other end sees its connection close.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(from);
    }
  }

  private void pass(Socket from, Socket onward) {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        awaitMended();
        onward.getOutputStream().write(piece, 0, read);
      }
      onward.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(onward);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no more use either way.
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    mend();
    open.forEach(CuttablePath::close);
  }
}
