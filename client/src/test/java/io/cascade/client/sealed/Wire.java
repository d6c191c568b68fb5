package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody on the way: passes connections on, keeps what was said, and may change it. */
final class Wire implements AutoCloseable {
  private final ServerSocket server;
  private final HostPort to;
  private final Tap tap;
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** Changes what goes by. */
  @FunctionalInterface
  interface Tap {
    /**
     * @param at offset of the piece in its direction
     * @param length of it
     * @return how many of its bytes go on; -1 to end the direction instead
     */
    int pass(boolean fromSender, long at, byte[] piece, int length);
  }

  private Wire(ServerSocket server, HostPort to, Tap tap) {
    this.server = server;
    this.to = to;
    this.tap = tap;
  }

  /** One that changes nothing. */
  static Wire to(HostPort to) throws IOException {
    return to(to, (_, _, _, length) -> length);
  }

  static Wire to(HostPort to, Tap tap) throws IOException {
    Wire wire = new Wire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), to, tap);
    Thread.ofVirtual().start(wire::accept);
    return wire;
  }

  HostPort address() {
    return new HostPort("127.0.0.1", server.getLocalPort());
  }

  /** Everything so far, a character for each byte. */
  String seen() {
    synchronized (seen) {
      return seen.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket sender = server.accept();
        Socket receiver = new Socket(to.host(), to.port());
        open.add(sender);
        open.add(receiver);
        Thread.ofVirtual().start(() -> pass(true, sender, receiver));
        Thread.ofVirtual().start(() -> pass(false, receiver, sender));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void pass(boolean fromSender, Socket from, Socket onward) {
    byte[] piece = new byte[16 * 1_024];
    long at = 0;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = onward.getOutputStream();
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        synchronized (seen) {
          seen.write(piece, 0, length);
        }
        int going = tap.pass(fromSender, at, piece, length);
        if (going < 0) {
          break;
        }
        out.write(piece, 0, going);
        at += length;
      }
      onward.shutdownOutput();
    } catch (IOException e) {
      // Either end went.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket one : open) {
      one.close();
    }
  }
}
