package io.cascade.gateway.tunnel;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.command.FileKind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Serves a gateway's status as JSON at a socket of the file system. */
public final class StatusSocket implements AutoCloseable {
  private static final long PAUSE_NANOS = 100_000_000;

  private final ServerSocketChannel server;
  private final Path path;

  private StatusSocket(ServerSocketChannel server, Path path) {
    this.server = server;
    this.path = path;
  }

  /** The socket's path for a gateway of that name. */
  public static Path usualPath(String name) {
    return Path.of("/run/cascade/gateway-" + name + ".sock");
  }

  /**
   * Creates the socket; clients that connect wait for {@link #answer}.
   *
   * @throws CommandException where the file cannot be created, or another gateway answers there
   */
  public static StatusSocket claim(Path path) {
    try {
      Path folder = path.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      if (Files.exists(path)) {
        if (answers(path)) {
          throw new CommandException(
              "a gateway answers at %s already; fix: choose another --name or --control"
                  .formatted(path));
        }
        FileKind.removeSocket(path); // Left by a killed process.
      }
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      return new StatusSocket(server, path);
    } catch (IOException e) {
      throw new CommandException(
          "cannot create %s: %s; fix: choose another with --control"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  private static boolean answers(Path path) {
    try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return connection.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts to answer. */
  public void answer(Supplier<GatewayStatus> status) {
    Thread.ofPlatform().daemon().name("status").start(() -> answerAll(status));
  }

  private void answerAll(Supplier<GatewayStatus> status) {
    while (server.isOpen()) {
      try {
        answer(server.accept(), status);
      } catch (IOException | RuntimeException | Error e) {
        // Out of descriptors or memory, or the gateway is being closed.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static void answer(SocketChannel connection, Supplier<GatewayStatus> status)
      throws IOException {
    try (connection) {
      String json = Json.lenient().writeValueAsString(status.get()) + "\n";
      ByteBuffer bytes = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        connection.write(bytes);
      }
    }
  }

  /**
   * Queries a gateway.
   *
   * @throws CommandException where none answers
   */
  public static String ask(Path path) {
    try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return new String(Channels.newInputStream(connection).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CommandException(
          "no gateway answers at %s (%s); fix: start it with cascade gateway up --name NAME ..."
              .formatted(path, e.getMessage()),
          e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      FileKind.removeSocket(path);
    } catch (IOException e) {
      // The gateway has ended as well.
    }
  }
}
