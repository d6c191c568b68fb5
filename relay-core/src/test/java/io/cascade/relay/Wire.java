package io.cascade.relay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The network between two relays in hostile hands: passes on what comes, keeps a record of it, and
 * does harm when told to.
 */
final class Wire implements AutoCloseable {
  private final ServerSocket listening;
  private final InetSocketAddress to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<ByteArrayOutputStream> records = new CopyOnWriteArrayList<>();
  private volatile Harm forward = Harm.NONE;
  private volatile Harm backward = Harm.NONE;

  /** What happens to the next bytes that pass. */
  enum Harm {
    NONE,
    /** A bit is turned over. */
    CHANGE,
    /** They are dropped, and an orderly end of the connection follows instead. */
    CUT
  }

  private Wire(ServerSocket listening, InetSocketAddress to) {
    this.listening = listening;
    this.to = to;
  }

  static Wire to(InetSocketAddress to) throws IOException {
    Wire wire = new Wire(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), to);
    Thread.startVirtualThread(wire::accept);
    return wire;
  }

  int port() {
    return listening.getLocalPort();
  }

  void harmForward(Harm harm) {
    forward = harm;
  }

  void harmBackward(Harm harm) {
    backward = harm;
  }

  /** What was sent towards the far end, a connection each. */
  List<byte[]> sent() {
    return records.stream()
        .map(ByteArrayOutputStream::toByteArray)
        .filter(sent -> sent.length > 0)
        .toList();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listening.accept();
        Socket far = new Socket(to.getAddress(), to.getPort());
        sockets.addAll(List.of(near, far));
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        records.add(record);
        Thread.startVirtualThread(() -> pass(near, far, record));
        Thread.startVirtualThread(() -> pass(far, near, null));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(
      Socket from, Socket into, @org.jspecify.annotations.Nullable ByteArrayOutputStream record) {
    byte[] bytes = new byte[65_536];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = into.getOutputStream();
      for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
        if (record != null) {
          record.write(bytes, 0, read);
        }
        switch (record == null ? backward : forward) {
          case NONE -> {}
          case CHANGE -> bytes[read - 1] ^= 1;
          case CUT -> {
            into.shutdownOutput();
            return;
          }
        }
        out.write(bytes, 0, read);
      }
      into.shutdownOutput();
    } catch (IOException e) {
      reset(from);
      reset(into);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // closed already
    }
  }
}
