package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.coded.CodedPort;
import io.cascade.carriage.coded.PathMemory;
import io.cascade.carriage.transport.Transport;
import io.cascade.client.transfer.CodedEnd;
import io.cascade.segments.SharedKey;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes coded sessions of peers that hold the junctions' shared key, at the UDP port with the
 * number of the junction's TCP port. Who does not hold the key gets no answer.
 */
final class CodedArrivals implements AutoCloseable {
  private final Consumer<PipeChannel> taker;
  private final byte[] key;
  private final byte[] name;
  private @Nullable MultiThreadIoEventLoopGroup loops;
  private @Nullable CodedAcceptor acceptor;
  private @Nullable CodedPort port;
  private boolean isClosed;

  private CodedArrivals(SharedKey shared, Consumer<PipeChannel> taker) {
    this.taker = taker;
    this.key = CodedKey.of(shared);
    this.name = CodedKey.name(shared);
  }

  /**
   * Takes sessions from soon on; gets ready on a thread of its own, and nobody needs the port
   * before a path has lost packets.
   *
   * @param taker is given each connection, on a thread of its own
   * @param notes is told where the port is taken
   */
  static CodedArrivals begin(
      InetSocketAddress beside,
      SharedKey shared,
      Consumer<PipeChannel> taker,
      Consumer<String> notes) {
    CodedArrivals arrivals = new CodedArrivals(shared, taker);
    if (Transport.EPOLL.available()) {
      Thread.ofPlatform().daemon().name("coded-arrivals").start(() -> arrivals.open(beside, notes));
    }
    return arrivals;
  }

  private synchronized void open(InetSocketAddress beside, Consumer<String> notes) {
    if (isClosed) {
      return;
    }
    MultiThreadIoEventLoopGroup made =
        new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    CodedAcceptor of =
        new CodedAcceptor(
            made,
            asked -> Arrays.equals(asked, name) ? key : null,
            () -> new BlockingConnection(this::take).handler(),
            CodedEnd.settings(new PathMemory()));
    try {
      port = CodedPort.open(beside, of);
      loops = made;
      acceptor = of;
    } catch (IOException e) {
      made.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      notes.accept(
          "UDP port %d cannot be had: pipes over TCP alone (%s)"
              .formatted(beside.getPort(), e.getMessage()));
    }
  }

  private void take(BlockingConnection arrived) {
    Thread.ofVirtual()
        .name("accepted")
        .start(() -> {
          try {
            taker.accept(CodedPipe.arrived(arrived));
          } catch (IOException e) {
            arrived.reset();
          }
        });
  }

  /** Ends all sessions. */
  @Override
  public synchronized void close() {
    isClosed = true;
    CodedPort open = port;
    CodedAcceptor of = acceptor;
    MultiThreadIoEventLoopGroup made = loops;
    if (open != null && of != null && made != null) {
      open.close();
      of.abort();
      made.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
