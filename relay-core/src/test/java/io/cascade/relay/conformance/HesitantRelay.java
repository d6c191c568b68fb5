package io.cascade.relay.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/**
 * What a relay must not be: it passes on bytes at once, but an end or a reset only when the other
 * direction is over as well.
 */
final class HesitantRelay implements AutoCloseable {
  private final ServerSocket listening;
  private final InetSocketAddress destination;

  private HesitantRelay(ServerSocket listening, InetSocketAddress destination) {
    this.listening = listening;
    this.destination = destination;
    Thread.startVirtualThread(this::accept);
  }

  static HesitantRelay to(InetSocketAddress destination) throws IOException {
    return new HesitantRelay(
        new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), destination);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(destination.getAddress(), destination.getPort());
        Thread.startVirtualThread(() -> carry(client, server));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private static void carry(Socket client, Socket server) {
    try (client;
        server) {
      CompletableFuture<Boolean> back =
          CompletableFuture.supplyAsync(
              () -> cameToItsEnd(server, client), Thread::startVirtualThread);
      boolean there = cameToItsEnd(client, server);
      if (!back.join() || !there) {
        client.setSoLinger(true, 0);
        server.setSoLinger(true, 0);
      }
    } catch (IOException e) {
      // broken while it was closed
    }
  }

  /** Rather than with a reset. */
  private static boolean cameToItsEnd(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
