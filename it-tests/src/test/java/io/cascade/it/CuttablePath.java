package io.cascade.it;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port of loopback that leads to another one, until it is cut, as if the host behind it had
 * vanished: nothing passes then, no connection ends and none is made. What was sent meanwhile
 * arrives once it is mended, and so do the ends of connections.
 */
final class CuttablePath implements AutoCloseable {
  private static final int PIECE = 64 << 10;
  private static final int BACKLOG = 8;

  /** Linux takes one more than the backlog, and one may be accepted just when the path is cut. */
  private static final int MORE_THAN_FIT = BACKLOG + 4;

  private final int to;
  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Connections that fill the entrance while the path is cut: the kernel drops others' SYN. */
  private final List<SocketChannel> fillers = new ArrayList<>();

  private boolean isCut;

  CuttablePath(int to) throws IOException {
    this.to = to;
    entrance = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::serve);
  }

  int port() {
    return entrance.getLocalPort();
  }

  synchronized void cut() throws IOException {
    isCut = true;
    for (int i = 0; i < MORE_THAN_FIT; i++) {
      SocketChannel filler = SocketChannel.open();
      fillers.add(filler);
      filler.configureBlocking(false);
      boolean _ = filler.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
    }
  }

  synchronized void mend() throws IOException {
    isCut = false;
    for (SocketChannel filler : fillers) {
      filler.close();
    }
    fillers.clear();
    notifyAll();
  }

  private synchronized void awaitMended() throws InterruptedException {
    while (isCut) {
      wait();
    }
  }

  private void serve() {
    try {
      while (true) {
        awaitMended();
        Socket from = entrance.accept();
        open.add(from);
        Thread.startVirtualThread(() -> carry(from));
      }
    } catch (IOException e) {
      return; // closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
      try {
        InputStream in = from.getInputStream();
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
          awaitMended();
          onward.getOutputStream().write(piece, 0, read);
        }
        awaitMended();
        onward.shutdownOutput();
      } catch (IOException e) {
        awaitMended();
        close(from);
        close(onward);
      }
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
