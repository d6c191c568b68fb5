package io.cascade.relay.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A destination, and the ways to it on which scripts are played, one at a time. */
final class Stage implements AutoCloseable {
  private static final int BACKLOG = 100;

  /** Small enough that windows shut, large enough that loopback's segments fit. */
  private static final int BUFFER_BYTES = 128 * 1_024;

  private final ServerSocket destination;

  private Stage(ServerSocket destination) {
    this.destination = destination;
  }

  static Stage open() throws IOException {
    // By channels, whose close is the system's: a socket's own would send an end first, always.
    ServerSocket destination = ServerSocketChannel.open().socket();
    destination.setReceiveBufferSize(BUFFER_BYTES);
    destination.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    destination.setSoTimeout(ScriptedPeer.PATIENCE_SECONDS * 1_000);
    return new Stage(destination);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) destination.getLocalSocketAddress();
  }

  /**
   * What both sides see.
   *
   * @param way the destination itself, or where a chain to it begins
   */
  Views play(Script script, InetSocketAddress way) throws InterruptedException {
    List<ScriptedPeer> players = ScriptedPeer.pair();
    FutureTask<List<String>> server =
        new FutureTask<>(() -> {
          try (Socket socket = prepared(destination.accept())) {
            return players.getLast().play(socket, script.server());
          } catch (SocketTimeoutException e) {
            return List.of("no connection");
          }
        });
    FutureTask<List<String>> client =
        new FutureTask<>(() -> {
          try (Socket socket = SocketChannel.open().socket()) {
            socket.setReceiveBufferSize(BUFFER_BYTES);
            socket.connect(way);
            return players.getFirst().play(prepared(socket), script.client());
          }
        });
    Thread.startVirtualThread(server);
    Thread.startVirtualThread(client);
    return new Views(result(client), result(server));
  }

  private static Socket prepared(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setOOBInline(true);
    socket.setSendBufferSize(BUFFER_BYTES);
    socket.setSoTimeout(ScriptedPeer.PATIENCE_SECONDS * 1_000);
    return socket;
  }

  private static List<String> result(FutureTask<List<String>> side) throws InterruptedException {
    try {
      return side.get(4L * ScriptedPeer.PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return List.of("stuck");
    } catch (ExecutionException e) {
      return List.of(String.valueOf(e.getCause()));
    }
  }

  @Override
  public void close() throws IOException {
    destination.close();
  }

  /** What client and server saw, an entry for every action that can see something. */
  record Views(List<String> client, List<String> server) {
    /** Whether both directions ended in good order. */
    boolean clean() {
      String all = client + " " + server;
      return !all.contains("reset") && !all.contains("broken");
    }

    @Override
    public String toString() {
      return "\n  client saw: " + client + "\n  server saw: " + server;
    }
  }
}
