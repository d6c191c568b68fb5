package io.cascade.relay.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;

/** A connection's first bytes, at either end sooner than epoll would have them. */
public final class FirstBytes {
  private static final IntegerUnixChannelOption QUICKACK =
      new IntegerUnixChannelOption("TCP_QUICKACK", 6, 12);

  private FirstBytes() {}

  /**
   * What an accepted connection has brought by now, so that its event loop need not wait to be told
   * of it; often its client's first bytes, for they follow its handshake. Empty where there is
   * nothing yet, and where the transport cannot tell. On the event loop, before anything is read.
   */
  public static ByteBuf arrivedWith(Channel accepted) {
    return accepted instanceof EpollConnection epoll ? epoll.takeArrived() : Unpooled.EMPTY_BUFFER;
  }

  /**
   * What is written as soon as the connection stands leaves together with the last segment of its
   * handshake: a segment less. Only where something is, for the kernel holds that segment back
   * meanwhile, and a server that speaks first would wait for it (TCP_QUICKACK, tcp(7)).
   */
  public static void gatherWithHandshake(Channel unconnected) {
    if (unconnected instanceof EpollConnection epoll) {
      try {
        epoll.config().setOption(QUICKACK, 0);
      } catch (ChannelException e) {
        // A segment more.
      }
    }
  }
}
