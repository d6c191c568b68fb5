package io.cascade.carriage.coded;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

/** Opens TCP connections to the peer's hop port. */
@FunctionalInterface
public interface TcpDial {
  /**
   * Dials.
   *
   * @param loop of the connection
   * @param first handler of its pipeline
   */
  Future<Channel> connect(EventLoop loop, ChannelHandler first);
}
