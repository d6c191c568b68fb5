package io.cascade.relay.socket;

import io.cascade.relay.pump.BudgetedReceive;
import io.cascade.relay.transport.SocketTuning;
import io.cascade.relay.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Makes connections: automatic reading off (a pump reads when it has room), half-closure allowed,
 * receive buffers from a {@link BudgetedReceive}, and SO_LINGER 0, so that a connection whose
 * process dies ends with a reset. Whoever finishes a stream in good order disarms that.
 */
public final class Sockets {
  private static final int BACKLOG = 4_096;

  private final Transport transport;
  private final EventLoopGroup loops;

  public Sockets(Transport transport, EventLoopGroup loops) {
    this.transport = transport;
    this.loops = loops;
  }

  public EventLoopGroup loops() {
    return loops;
  }

  public Transport transport() {
    return transport;
  }

  /** Sets a chain's options on a connection that was accepted before its chain was known. */
  public void tune(Channel channel, SocketTuning tuning) {
    tuning.apply(channel, transport);
  }

  /** Connects on {@code loop}; {@code handler} is the pipeline's first. */
  public ChannelFuture connect(
      EventLoop loop,
      SocketAddress to,
      SocketTuning tuning,
      Duration timeout,
      ChannelHandler handler) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(transport.socketChannel())
            .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .option(ChannelOption.SO_LINGER, 0)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
            .handler(new Prepared(() -> handler));
    tuning.prepare(bootstrap, transport);
    return bootstrap.connect(to);
  }

  /** Listens; every accepted connection gets a handler of its own. */
  public ChannelFuture listen(InetSocketAddress at, Supplier<ChannelHandler> handlers) {
    return new ServerBootstrap()
        .group(loops)
        .channel(transport.serverChannel())
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .childOption(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.SO_LINGER, 0)
        .childHandler(new Prepared(handlers))
        .bind(at);
  }

  @ChannelHandler.Sharable
  private static final class Prepared extends ChannelInitializer<Channel> {
    private final Supplier<ChannelHandler> handlers;

    Prepared(Supplier<ChannelHandler> handlers) {
      this.handlers = handlers;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel.config().setRecvByteBufAllocator(new BudgetedReceive());
      channel.pipeline().addLast(handlers.get());
    }
  }
}
