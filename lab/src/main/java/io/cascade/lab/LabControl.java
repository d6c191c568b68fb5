package io.cascade.lab;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.links.DirectionStatistics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Control socket of a lab's process, in the lab's folder: one request and one answer per
 * connection, each a line of JSON.
 */
final class LabControl implements AutoCloseable {
  private final ServerSocketChannel server;

  private LabControl(ServerSocketChannel server) {
    this.server = server;
  }

  static LabControl serve(Path socket, LabHost host) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    LabControl control = new LabControl(server);
    Thread.ofPlatform().daemon().name("lab-control").start(() -> control.accept(host));
    return control;
  }

  private void accept(LabHost host) {
    while (server.isOpen()) {
      try (SocketChannel connection = server.accept()) {
        String line = line(connection);
        Response answer;
        try {
          answer = answer(Json.lenient().readValue(line, Request.class), host);
        } catch (RuntimeException e) {
          answer = Response.failed(String.valueOf(e.getMessage()));
        }
        write(connection, answer);
      } catch (IOException e) {
        // The caller disconnected, or the lab ends.
      }
    }
  }

  private static Response answer(Request request, LabHost host) {
    switch (request.verb()) {
      case SHAPE -> host.reshape(request.from(), request.to(), new ShapeChange(request.values()));
      case BEGIN -> host.begin();
      case END -> host.end();
      case STATISTICS -> {
        List<DirectionReport> directions = new ArrayList<>();
        host.directions()
            .forEach((ends, number) ->
                directions.add(
                    new DirectionReport(
                        ends.from(),
                        ends.to(),
                        ShapeText.format(host.carrier().shape(number)),
                        host.carrier().statistics(number))));
        return new Response(null, host.carrier().seconds(), directions);
      }
    }
    return new Response(null, host.carrier().seconds(), null);
  }

  /**
   * @throws CommandException where the lab's process does not answer, or refuses
   */
  static Response ask(Path socket, Request request) {
    try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      write(connection, request);
      Response answer = Json.lenient().readValue(line(connection), Response.class);
      if (answer.error() != null) {
        throw new CommandException(answer.error());
      }
      return answer;
    } catch (IOException e) {
      throw new CommandException(
          "the lab does not answer (%s). Remove what is left of it with: ./cascade lab down"
              .formatted(e.getMessage()),
          e);
    }
  }

  private static String line(SocketChannel connection) throws IOException {
    // Not closed, since that would close the connection, which the caller owns.
    BufferedReader reader =
        new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8));
    String line = reader.readLine();
    if (line == null) {
      throw new IOException("it hung up");
    }
    return line;
  }

  private static void write(SocketChannel connection, Object value) throws IOException {
    Writer writer = Channels.newWriter(connection, StandardCharsets.UTF_8);
    writer.write(Json.lenient().writeValueAsString(value) + "\n");
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  enum Verb {
    SHAPE,
    STATISTICS,
    BEGIN,
    END
  }

  record Request(Verb verb, String from, String to, Map<String, String> values) {
    static Request of(Verb verb) {
      return new Request(verb, "", "", Map.of());
    }
  }

  record Response(
      @Nullable String error, double seconds, @Nullable List<DirectionReport> directions) {
    static Response failed(String error) {
      return new Response(error, 0, null);
    }
  }

  record DirectionReport(
      String from, String to, Map<String, String> shape, DirectionStatistics statistics) {}
}
