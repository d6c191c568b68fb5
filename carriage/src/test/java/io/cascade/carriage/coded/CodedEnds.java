package io.cascade.carriage.coded;

import static org.awaitility.Awaitility.await;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.socket.UdpPort;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.cascade.testing.UdpPath;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of a coded hop with real sockets: an acceptor at a port for UDP and TCP, a dialler, and
 * between them a UDP path that the test spoils. Streams carry known bytes.
 */
final class CodedEnds implements AutoCloseable {
  static final CarrierTimes QUICK =
      new CarrierTimes(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(300),
          Duration.ofSeconds(1),
          Duration.ofSeconds(90));
  private static final int CHUNK = 1 << 14;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_PORTS = 10;

  final UdpPath path;
  final AtomicInteger tcpDials = new AtomicInteger();
  volatile boolean tcpWorks = true;

  /** Where TCP is dialled; null for the far end itself. */
  volatile @Nullable InetSocketAddress tcpAddress;

  /** Whether the far end takes handshakes over TCP; else it closes their connections. */
  volatile boolean takesTcpHellos = true;

  volatile byte @Nullable [] key = new byte[32];

  /** Bytes that have arrived at either end, in order and right. */
  final AtomicLong received = new AtomicLong();

  /** Bytes that had arrived at the end of them; fails with the transfer. */
  volatile CompletableFuture<Long> ended = new CompletableFuture<>();

  private final Queue<Channel> accepted = new ConcurrentLinkedQueue<>();

  /** What both ends know of their paths. */
  final PathMemory paths = new PathMemory();

  final CodedAcceptor acceptor;
  private volatile long toDownload;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(3, Transport.EPOLL.newIoHandlerFactory());
  private final Sockets sockets = new Sockets(Transport.EPOLL, loops);
  private final EventLoop loop = loops.next();
  private final CodedDialler dialler;
  private final UdpPort datagrams;
  private final Channel listening;

  CodedEnds(CarrierTimes times) throws Exception {
    CodedSettings settings =
        new CodedSettings(
            CodedStreamLimits.usual(new StreamMemory(512 << 20, () -> Long.MAX_VALUE)),
            new SessionPlaces(256 << 20),
            times,
            paths);
    acceptor = new CodedAcceptor(loops, _ -> service(), settings);
    HopPort port = openPort();
    listening = port.listening;
    datagrams = port.datagrams;
    InetSocketAddress at = port.address();
    path = new UdpPath(at);
    dialler =
        new CodedDialler(
            new CodedPeer(path.address(), new byte[32], new byte[] {1}, false),
            loops,
            settings,
            (on, handler) -> {
              tcpDials.incrementAndGet();
              InetSocketAddress other = tcpAddress;
              InetSocketAddress to = other == null ? at : other;
              return tcpWorks
                  ? sockets.connect(
                      on, to, SocketTuning.defaults(), Duration.ofSeconds(5), true, handler)
                  : on.newFailedFuture(new IOException("refused"));
            },
            _ -> {});
  }

  /** One number on TCP and UDP. */
  private record HopPort(Channel listening, UdpPort datagrams) {
    InetSocketAddress address() {
      return (InetSocketAddress) listening.localAddress();
    }
  }

  /** Opens a number that is free on TCP and UDP: the system looks at TCP alone. */
  private HopPort openPort() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int attempt = 1; ; attempt++) {
      ChannelFuture bound =
          sockets.listen(any, SocketTuning.defaults(), () -> new Gate(this)).sync();
      InetSocketAddress at = (InetSocketAddress) bound.channel().localAddress();
      try {
        return new HopPort(bound.channel(), acceptor.listen(at, (_, _) -> {}));
      } catch (BindException e) {
        bound.channel().close().sync();
        if (attempt == MOST_PORTS) {
          throw e;
        }
      }
    }
  }

  private @Nullable CodedService service() {
    byte[] known = key;
    return known == null ? null : new CodedService(known, this::answering, false);
  }

  /** What the far end does with a stream: reads it, or sends. */
  private ChannelInboundHandlerAdapter answering() {
    long bytes = toDownload;
    return bytes == 0 ? new Receiver(received, ended) : new Sender(bytes, ended);
  }

  /**
   * A stream over the session; begins it where there is none. Where a busy machine does not manage
   * the handshake in time, it is tried again.
   */
  Channel connect(ChannelInboundHandlerAdapter first) throws Exception {
    CompletableFuture<Channel> connected = new CompletableFuture<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    loop.execute(() -> connectOn(first, connected, end));
    return connected.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void connectOn(
      ChannelInboundHandlerAdapter first, CompletableFuture<Channel> connected, long endNanos) {
    Future<Channel> connecting =
        dialler.connect(
            loop, first, () -> loop.newFailedFuture(new IOException("UDP has not answered")));
    connecting.addListener(_ -> {
      if (connecting.isSuccess()) {
        connected.complete(connecting.getNow());
      } else if (System.nanoTime() - endNanos < 0) {
        loop.schedule(() -> connectOn(first, connected, endNanos), 100, TimeUnit.MILLISECONDS);
      } else {
        connected.completeExceptionally(connecting.cause());
      }
    });
  }

  /** A connection by whatever the hop takes, TCP where UDP does not answer. */
  Channel connectByEither() throws Exception {
    ChannelInboundHandlerAdapter first = new ChannelInboundHandlerAdapter();
    CompletableFuture<Future<Channel>> begun = new CompletableFuture<>();
    loop.execute(() ->
        begun.complete(
            dialler.connect(
                loop,
                first,
                () ->
                    sockets.connect(
                        loop,
                        server(),
                        SocketTuning.defaults(),
                        Duration.ofSeconds(5),
                        true,
                        first))));
    return begun.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Has so many bytes sent to the far end. */
  void upload(long bytes) throws Exception {
    Channel channel = connect(new ChannelInboundHandlerAdapter());
    channel.eventLoop().execute(() -> write(channel, 0, bytes, ended));
  }

  /** Has so many bytes sent to the far end, by the session that there is. */
  void uploadAgain(long bytes) throws Exception {
    toDownload = 0;
    upload(bytes);
  }

  /** Has so many bytes sent by the far end, which begins once it has got a byte. */
  void download(long bytes) throws Exception {
    toDownload = bytes;
    Channel channel = connect(new Receiver(received, ended));
    channel.eventLoop().execute(() -> channel.writeAndFlush(Unpooled.buffer(1).writeByte(1)));
  }

  /** Gets ready for another transfer, after the one before has ended. */
  void again() {
    received.set(0);
    ended = new CompletableFuture<>();
  }

  /** Breaks all TCP connections that the far end has accepted. */
  void breakCarriers() {
    accepted.forEach(Channel::close);
    accepted.clear();
  }

  /** Waits until more bytes have arrived; fails at once where the transfer has. */
  void awaitMore(long bytes) {
    long before = received.get();
    await()
        .atMost(PATIENCE)
        .until(() -> {
          if (ended.isCompletedExceptionally()) {
            ended.join();
          }
          return received.get() >= before + bytes;
        });
  }

  private static void write(Channel to, long at, long end, CompletableFuture<Long> failed) {
    if (at >= end) {
      Connection connection = Connection.of(to);
      var _ = connection.shutdownOutput();
      return;
    }
    int length = (int) Math.min(CHUNK, end - at);
    // At once: detection of leaks notes where each access to a buffer comes from.
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = byteAt(at + i);
    }
    ByteBuf chunk = to.alloc().directBuffer(length).writeBytes(bytes);
    to.writeAndFlush(chunk)
        .addListener(written -> {
          if (written.isSuccess()) {
            write(to, at + length, end, failed);
          } else {
            failed.completeExceptionally(written.cause());
          }
        });
  }

  static byte byteAt(long offset) {
    return (byte) ((offset * 0x9e3779b97f4a7c15L) >>> 40);
  }

  /** The hop port. */
  InetSocketAddress server() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Why connections are plain TCP; null where they are not. */
  @Nullable String fallenBack() {
    return dialler.fallenBack();
  }

  /** What names the session to the end that accepted it. */
  int sessionId() {
    return acceptor.sessionIds().iterator().next();
  }

  CodedCount count() {
    return dialler.sessions().isEmpty()
        ? new CodedCount(0, 0, "none", 0, 0, 0, 0, 0, false, null)
        : dialler.sessions().getFirst();
  }

  /** Takes a connection that carries a session, as the hop port does. */
  private static final class Gate extends ChannelInboundHandlerAdapter {
    private final CodedEnds ends;
    private ByteBuf early = Unpooled.EMPTY_BUFFER;

    Gate(CodedEnds ends) {
      this.ends = ends;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      early = Unpooled.wrappedBuffer(early, (ByteBuf) message);
      if (early.readableBytes() < CodedAcceptor.carrierHeadBytes(early)) {
        context.read();
        return;
      }
      Channel channel = context.channel();
      ends.accepted.add(channel);
      context.pipeline().remove(this);
      boolean isHello = (early.getByte(Short.BYTES) & 0xf0) == 0x10;
      if ((isHello && !ends.takesTcpHellos) || !ends.acceptor.carry(channel, early)) {
        early.release();
        channel.close();
      }
    }
  }

  /** Sends once something has come. */
  private static final class Sender extends ChannelInboundHandlerAdapter {
    private final long bytes;
    private final CompletableFuture<Long> failed;

    Sender(long bytes, CompletableFuture<Long> failed) {
      this.bytes = bytes;
      this.failed = failed;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ((ByteBuf) message).release();
      write(context.channel(), 0, bytes, failed);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      failed.completeExceptionally(cause);
    }
  }

  /** Reads what comes, and checks it. */
  static final class Receiver extends ChannelInboundHandlerAdapter {
    private final AtomicLong received;
    private final CompletableFuture<Long> ended;

    Receiver(AtomicLong received, CompletableFuture<Long> ended) {
      this.received = received;
      this.ended = ended;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      Connection.of(context.channel()).receive().readFor(() -> CHUNK);
      context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      byte[] bytes = new byte[buffer.readableBytes()];
      buffer.readBytes(bytes).release();
      long at = received.get();
      for (byte found : bytes) {
        if (found != byteAt(at++)) {
          ended.completeExceptionally(new AssertionError("byte " + (at - 1)));
        }
      }
      received.set(at);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      ended.complete(received.get());
      context.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      ended.completeExceptionally(cause);
    }
  }

  @Override
  public void close() throws Exception {
    dialler.close();
    acceptor.abort();
    datagrams.close();
    path.close();
    listening.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
  }
}
