package io.cascade.client.transfer.coded;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.coded.CodedService;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.socket.UdpPort;
import io.cascade.carriage.transport.Transport;
import io.cascade.coding.crypto.Accepting;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A UDP port at which an end accepts coded sessions, with the event loop that serves it. */
public final class CodedListener implements AutoCloseable {
  private final MultiThreadIoEventLoopGroup loops;
  private final CodedAcceptor acceptor;
  private final UdpPort port;

  private CodedListener(MultiThreadIoEventLoopGroup loops, CodedAcceptor acceptor, UdpPort port) {
    this.loops = loops;
    this.acceptor = acceptor;
    this.port = port;
  }

  /**
   * Starts to accept sessions. Needs epoll.
   *
   * @param keys of sessions by their names
   * @param arrived is given each connection, on the event loop
   * @param others is given datagrams that belong to no session
   * @throws IOException where the port cannot be bound
   */
  public static CodedListener open(
      InetSocketAddress at,
      Accepting.Keys keys,
      Consumer<BlockingConnection> arrived,
      BiConsumer<ByteBuffer, InetSocketAddress> others)
      throws IOException {
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    CodedAcceptor acceptor =
        new CodedAcceptor(
            loops, name -> service(keys.key(name), arrived), CodedEnd.settings(new PathMemory()));
    try {
      return new CodedListener(loops, acceptor, acceptor.listen(at, others));
    } catch (IOException e) {
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw e;
    }
  }

  private static @Nullable CodedService service(
      byte @Nullable [] key, Consumer<BlockingConnection> arrived) {
    return key == null
        ? null
        : new CodedService(key, () -> new BlockingConnection(arrived).handler(), false);
  }

  InetSocketAddress address() {
    return port.address();
  }

  void send(ByteBuffer datagram, InetSocketAddress to) {
    port.send(datagram, to);
  }

  /** Closes all sessions. */
  @Override
  public void close() {
    port.close();
    acceptor.abort();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
