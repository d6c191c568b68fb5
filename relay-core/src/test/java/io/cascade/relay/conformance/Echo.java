package io.cascade.relay.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;

/** A destination that sends back what it gets, and what becomes of a transfer to it. */
final class Echo implements AutoCloseable {
  private static final int BACKLOG = 1_000;

  private final ServerSocket destination;

  private Echo(ServerSocket destination) {
    this.destination = destination;
    Thread.startVirtualThread(this::accept);
  }

  static Echo open() throws IOException {
    return new Echo(new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1")));
  }

  InetSocketAddress address() {
    return (InetSocketAddress) destination.getLocalSocketAddress();
  }

  /** What a client can see of its transfer. Anything else fails at once. */
  enum Outcome {
    WHOLE,
    BROKEN
  }

  /**
   * Sends some bytes and reads them back.
   *
   * @throws AssertionError where the connection ends as if that were all, and it is not
   */
  static Outcome transfer(InetSocketAddress way, int bytes) throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean();
    try (Socket socket = connect(way)) {
      Thread sender =
          Thread.startVirtualThread(() -> {
            try {
              socket.getOutputStream().write(Content.OF_CLIENT.from(0, bytes));
              socket.shutdownOutput();
            } catch (IOException e) {
              // The kernel tells a reset once: to whom it was not told, it looks like an end.
              broken.set(true);
            }
          });
      byte[] back = socket.getInputStream().readNBytes(bytes + 1);
      long wrong = Content.OF_CLIENT.firstWrong(back, Math.min(bytes, back.length), 0);
      if (back.length != bytes || wrong >= 0) {
        sender.join();
        if (wrong < 0 && broken.get()) {
          return Outcome.BROKEN;
        }
        throw new AssertionError(
            "a clean end after " + back.length + " of " + bytes + " bytes; first wrong: " + wrong);
      }
      sender.join();
      return Outcome.WHOLE;
    } catch (IOException e) {
      return Outcome.BROKEN;
    }
  }

  static Socket connect(InetSocketAddress way) throws IOException {
    Socket socket = new Socket();
    socket.connect(way);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(2 * ScriptedPeer.PATIENCE_SECONDS * 1_000);
    return socket;
  }

  /** Sends a byte and reads it back. */
  static boolean answers(Socket socket) {
    try {
      socket.getOutputStream().write(7);
      return socket.getInputStream().read() == 7;
    } catch (IOException e) {
      return false;
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = destination.accept();
        Thread.startVirtualThread(() -> sendBack(socket));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private static void sendBack(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      in.transferTo(out);
      socket.shutdownOutput();
    } catch (IOException e) {
      // broken: the client sees it too
    }
  }

  @Override
  public void close() throws IOException {
    destination.close();
  }
}
