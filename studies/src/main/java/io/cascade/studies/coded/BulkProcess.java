package io.cascade.studies.coded;

import io.cascade.api.Json;
import io.cascade.carriage.transport.Transport;
import io.cascade.carriage.transport.UdpSocket;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A process at a site with one end of bulk transfers, which run one after the other, so that the
 * code is compiled before a run counts. It executes commands, which are lines of its standard
 * input, and answers each with a line:
 *
 * <pre>
 * bind ADDRESS                    prints the port of a new socket
 * source ADDRESS PORT SEED        starts to send there
 * sink ADDRESS PORT SEED LOSS     starts to receive from there, and drops a share
 * report                          prints a {@link PeerReport} as JSON
 * stop                            ends the transfer
 * </pre>
 */
final class BulkProcess {
  private final EventLoop loop =
      new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory()).next();
  private @Nullable UdpSocket socket;
  private @Nullable BulkEnd end;

  private BulkProcess() {}

  public static void main(String[] arguments) throws Exception {
    BulkProcess process = new BulkProcess();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(process.obey(line.split(" ")));
      System.out.flush();
    }
    System.exit(0);
  }

  private String obey(String[] words) throws IOException {
    return switch (words[0]) {
      case "bind" -> {
        UdpSocket bound = UdpSocket.bind(new InetSocketAddress(words[1], 0));
        socket = bound;
        yield "" + bound.localAddress().getPort();
      }
      case "source", "sink" -> {
        UdpSocket bound = Objects.requireNonNull(socket);
        bound.connect(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
        BulkEnd next =
            new BulkEnd(loop, bound, words[0].equals("source"), Long.parseLong(words[3]));
        end = next;
        next.start(words.length > 4 ? Double.parseDouble(words[4]) : 0);
        yield "ok";
      }
      case "report" ->
          Json.lenient()
              .writeValueAsString(
                  Objects.requireNonNull(end).report().awaitUninterruptibly().getNow());
      case "stop" -> {
        Objects.requireNonNull(end).stop();
        yield "ok";
      }
      default -> "unknown: " + words[0];
    };
  }
}
