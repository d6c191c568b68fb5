package io.cascade.carriage.socket;

import io.cascade.carriage.transport.BudgetedReceive;
import io.cascade.carriage.transport.Coalescing;
import io.cascade.carriage.transport.Descriptors;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.carriage.transport.UnsentLimit;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Opens and accepts connections: automatic reading off (a pump reads when it has room),
 * half-closure allowed, receive buffers from a {@link BudgetedReceive}, and SO_LINGER 0, so that
 * the connections of a process that dies end with a reset. The code that completes a stream cleanly
 * clears that option.
 */
public final class Sockets {
  static final int BACKLOG = 4_096;
  private static final Logger LOG = Logger.getLogger(Sockets.class.getName());

  static {
    // The first line of a log opens the file of time zones, for which no descriptor may be free
    // later: the Error would end the event loop.
    ZoneRules _ = ZoneId.systemDefault().getRules();
  }

  private static final long REST_MILLIS = 1_000;

  /**
   * Urgent data keeps its place among the other bytes, as RFC 6093 (section 6) recommends;
   * otherwise the kernel would remove the urgent byte from the stream and it would be lost.
   * Accepted connections inherit the option from the listening socket.
   */
  private static final IntegerUnixChannelOption URGENT_INLINE =
      new IntegerUnixChannelOption("SO_OOBINLINE", 1, 10);

  private final Transport transport;
  private final EventLoopGroup loops;
  private final Descriptors descriptors;

  /** Number of sockets that listen on a port, at different addresses. */
  private final Map<Integer, Integer> listening = new ConcurrentHashMap<>();

  public Sockets(Transport transport, EventLoopGroup loops) {
    this.transport = transport;
    this.loops = loops;
    this.descriptors = Descriptors.ofThisProcess();
  }

  public EventLoopGroup loops() {
    return loops;
  }

  public Transport transport() {
    return transport;
  }

  public Descriptors descriptors() {
    return descriptors;
  }

  /** Whether one of these sockets listens on the port, at any address. */
  public boolean listensOn(int port) {
    return listening.containsKey(port);
  }

  /**
   * Sets a chain's options on a connection that was accepted before its chain was known.
   *
   * @return whether they were set; false for a connection that is already closed
   */
  public boolean tune(Channel channel, SocketTuning tuning) {
    try {
      tuning.apply(channel, transport);
      return true;
    } catch (ChannelException e) {
      return false;
    }
  }

  /**
   * Connects on {@code loop}, whose thread must make this call. Cancelling closes the connection.
   *
   * @param speaks whether bytes are written as soon as the connection is open
   * @param handler the first of the pipeline; null for none
   */
  public Future<Channel> connect(
      EventLoop loop,
      SocketAddress to,
      SocketTuning tuning,
      Duration timeout,
      boolean speaks,
      @Nullable ChannelHandler handler) {
    Promise<Channel> connected = loop.newPromise();
    Channel channel;
    try {
      channel = transport.newSocket(to);
    } catch (RuntimeException e) { // no free file descriptor
      return connected.setFailure(e);
    }
    descriptors.taken(channel);
    try {
      configure(channel.config());
      tuning.prepare(channel);
      if (transport.isNative()) {
        channel.config().setOption(URGENT_INLINE, 1);
        UnsentLimit.set(channel);
      }
      if (speaks) {
        Coalescing.gatherWithHandshake(channel);
      }
    } catch (RuntimeException e) {
      channel.unsafe().closeForcibly();
      return connected.setFailure(e);
    }
    if (handler != null) {
      channel.pipeline().addLast(handler);
    }
    connected.addListener(_ -> {
      if (connected.isCancelled()) {
        channel.close();
      }
    });
    loop.register(channel)
        .addListener(registered -> {
          if (registered.isSuccess()) {
            connect(channel, to, timeout, connected);
          } else {
            tell(connected, channel, registered);
          }
        });
    return connected;
  }

  /**
   * Moves a connection to another event loop. Called on its present one; no operation may be in
   * progress, and events meanwhile are found by the next read.
   *
   * @return completes on the other event loop; if it fails, the connection is closed
   */
  public Future<Channel> move(Channel channel, EventLoop to) {
    Promise<Channel> moved = to.newPromise();
    if (to.inEventLoop()) {
      to.execute(() -> {
        moved.setSuccess(channel);
      });
      return moved;
    }
    channel
        .deregister()
        .addListener(_ ->
            to.register(channel)
                .addListener(registered -> {
                  Throwable failure = registered.cause();
                  if (failure == null) {
                    moved.setSuccess(channel);
                  } else {
                    channel.unsafe().closeForcibly();
                    moved.setFailure(failure);
                  }
                }));
    return moved;
  }

  /**
   * Connects with a separate timer: a connection would hold Netty's timer for its whole lifetime.
   */
  private static void connect(
      Channel channel, SocketAddress to, Duration timeout, Promise<Channel> connected) {
    ChannelPromise attempt = channel.newPromise();
    channel.connect(to, attempt);
    if (attempt.isDone()) {
      tell(connected, channel, attempt);
      return;
    }
    Future<?> patience =
        channel
            .eventLoop()
            .schedule(
                () ->
                    attempt.tryFailure(
                        new ConnectTimeoutException(
                            "connection timed out after " + timeout.toMillis() + " ms: " + to)),
                timeout.toNanos(),
                TimeUnit.NANOSECONDS);
    attempt.addListener(done -> {
      patience.cancel(false);
      tell(connected, channel, done);
    });
  }

  private static void tell(Promise<Channel> connected, Channel channel, Future<?> done) {
    Throwable failure = done.cause();
    if (failure == null) {
      connected.trySuccess(channel); // If it was cancelled, the channel is being closed.
    } else {
      connected.tryFailure(failure);
      channel.close();
    }
  }

  private static void configure(ChannelConfig config) {
    config.setAllocator(PooledByteBufAllocator.DEFAULT);
    config.setAutoRead(false);
    config.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    config.setConnectTimeoutMillis(0);
  }

  /**
   * Listens; every accepted connection gets its own handler.
   *
   * @param tuning options of accepted connections until {@link #tune} sets others
   */
  public ChannelFuture listen(
      InetSocketAddress at, SocketTuning tuning, Supplier<ChannelHandler> handlers) {
    Bootstrap bootstrap =
        accepting(tuning, handlers).channelFactory(() -> transport.newListener(at, BACKLOG));
    if (transport.isNative()) { // accepted connections inherit both
      bootstrap.option(URGENT_INLINE, 1);
      bootstrap.option(UnsentLimit.OPTION, UnsentLimit.BYTES);
    }
    return bootstrap.option(ChannelOption.SO_REUSEADDR, true).bind(at);
  }

  private Bootstrap accepting(SocketTuning tuning, Supplier<ChannelHandler> handlers) {
    Bootstrap bootstrap = new Bootstrap().group(loops).handler(new Acceptor(handlers));
    tuning.prepareAccepted(bootstrap, transport);
    return bootstrap;
  }

  /**
   * Continues listening with a socket that another process has opened. Accepts no connection until
   * {@link #accept}.
   *
   * @param descriptor of a listening socket; closed with the channel
   * @param tuning as for {@link #listen}
   */
  public ChannelFuture adopt(
      int descriptor, SocketTuning tuning, Supplier<ChannelHandler> handlers) {
    return accepting(tuning, handlers)
        .channelFactory(() -> Transport.listening(descriptor))
        .option(ChannelOption.AUTO_READ, false)
        .register();
  }

  /**
   * Accepts connections or leaves them in the kernel's queue. When this returns, connections that
   * were accepted before have reached their handlers.
   */
  public void accept(Channel listening, boolean on) {
    listening
        .eventLoop()
        .submit(() -> listening.pipeline().get(Acceptor.class).accept(listening, on))
        .awaitUninterruptibly();
    for (EventExecutor loop : loops) {
      loop.submit(() -> {}).awaitUninterruptibly();
    }
  }

  /** Assigns accepted connections to the event loops, each with its own handler. */
  private final class Acceptor extends ChannelInboundHandlerAdapter {
    private final Supplier<ChannelHandler> handlers;
    private boolean paused;

    Acceptor(Supplier<ChannelHandler> handlers) {
      this.handlers = handlers;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      remember(context.channel());
      context.fireChannelActive();
    }

    private void remember(Channel channel) {
      if (channel.localAddress() instanceof InetSocketAddress at) {
        int port = at.getPort();
        listening.merge(port, 1, Integer::sum);
        channel
            .closeFuture()
            .addListener(closed ->
                listening.computeIfPresent(port, (_, count) -> count == 1 ? null : count - 1));
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      Channel accepted = (Channel) message;
      descriptors.taken(accepted);
      try {
        configure(accepted.config());
        if (!transport.isNative()) { // inherited from the listening socket
          accepted.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        accepted.pipeline().addLast("arrival", handlers.get()); // saves Netty a search
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "a connection could not be made ready", e);
        accepted.unsafe().closeForcibly();
        return;
      }
      loops.register(accepted);
    }

    void accept(Channel listening, boolean on) {
      paused = !on;
      listening.config().setAutoRead(on);
    }

    /** Pauses accepting, for example while no file descriptor is free. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      ChannelConfig config = context.channel().config();
      if (config.isAutoRead()) {
        config.setAutoRead(false);
        context
            .executor()
            .schedule(() -> config.setAutoRead(!paused), REST_MILLIS, TimeUnit.MILLISECONDS);
      }
      LOG.log(Level.WARNING, "no connection could be accepted: {0}", String.valueOf(cause));
    }
  }
}
