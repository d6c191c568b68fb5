package io.cascade.lab.soak;

import io.cascade.command.Digests;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The destination of every chain. No message to it may be cut short by a clean end. */
final class Host implements AutoCloseable {
  static final int MESSAGE_BYTES = 64;
  private static final int BACKLOG = 1_000;
  private static final int PATIENCE_MILLIS = 120_000;

  private final ServerSocket listening;
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  private Host(ServerSocket listening) {
    this.listening = listening;
  }

  static Host open() throws IOException {
    Host host = new Host(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon().name("soak-host").start(host::accept);
    return host;
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Premature clean ends, and other violations. */
  Queue<String> violations() {
    return violations;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.startVirtualThread(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      Request request = Request.read(socket.getInputStream());
      switch (request.kind()) {
        case TRANSFER, SLOW_READER -> transfer(socket, request);
        case CONVERSATION, IDLE -> sendBack(socket);
        case RESET_BY_VISITOR -> expectReset(socket, request);
        case RESET_BY_HOST -> {
          socket.getInputStream().readNBytes((int) request.upload() / 2);
          socket.setSoLinger(true, 0);
        }
      }
    } catch (EOFException e) {
      violations.add(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      // Failed: the visitor checks whether that is explained.
    }
  }

  private void transfer(Socket socket, Request request) throws IOException {
    MessageDigest digest = Digests.sha256();
    InputStream in = socket.getInputStream();
    byte[] block = new byte[64 * 1_024];
    long came = 0;
    for (int length = in.read(block); length > 0; length = in.read(block)) {
      digest.update(block, 0, length);
      came += length;
    }
    if (came != request.upload()) {
      violations.add("a clean end after " + came + " of " + request.upload() + " bytes uploaded");
      return;
    }
    OutputStream out = socket.getOutputStream();
    out.write(digest.digest());
    Request.Blocks contents = request.downloads();
    for (int length = contents.next(); length > 0; length = contents.next()) {
      out.write(contents.bytes(), 0, length);
    }
    socket.shutdownOutput();
  }

  private static void sendBack(Socket socket) throws IOException {
    byte[] message = new byte[MESSAGE_BYTES];
    InputStream in = socket.getInputStream();
    while (in.readNBytes(message, 0, message.length) == message.length) {
      socket.getOutputStream().write(message);
    }
    socket.shutdownOutput();
  }

  private void expectReset(Socket socket, Request request) throws IOException {
    long came = socket.getInputStream().skip(Long.MAX_VALUE);
    violations.add(
        "a clean end after " + came + " of " + request.upload() + " bytes that ended with a reset");
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
