package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;

/**
 * Spares a short connection segments and rounds of its event loop: first bytes travel with the
 * handshake, last bytes with the end. Nothing depends on it. Without it each of these methods would
 * do nothing, and the same bytes would travel in more segments.
 */
public final class Coalescing {
  private static final int IPPROTO_TCP = 6;
  private static final IntegerUnixChannelOption QUICKACK =
      new IntegerUnixChannelOption("TCP_QUICKACK", IPPROTO_TCP, 12);
  private static final IntegerUnixChannelOption CORK =
      new IntegerUnixChannelOption("TCP_CORK_INT", IPPROTO_TCP, 3);

  private Coalescing() {}

  /**
   * Takes what an accepted connection has brought by now, so that its event loop need not wait to
   * be told of it; often its client's first bytes, for they follow its handshake. Empty where there
   * is nothing yet, and where the transport cannot tell. An end, a broken connection or a lack of
   * memory is left to the next read. On the event loop, before anything is read.
   */
  public static ByteBuf arrivedWith(Channel accepted) {
    if (!(accepted instanceof EpollConnection epoll)) {
      return Unpooled.EMPTY_BUFFER;
    }
    BudgetedReceive receive = epoll.receive();
    ByteBuf bytes = Unpooled.EMPTY_BUFFER;
    try {
      bytes = receive.allocate(epoll.alloc());
      receive.attemptedBytesRead(bytes.writableBytes());
      receive.lastBytesRead(Math.max(epoll.receive(bytes), 0));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      receive.lastBytesRead(0);
    }
    if (!bytes.isReadable()) {
      bytes.release();
      return Unpooled.EMPTY_BUFFER;
    }
    return bytes;
  }

  /**
   * Has what is written as soon as the connection stands leave together with the last segment of
   * its handshake. Only where something is, for the kernel holds that segment back meanwhile, and a
   * server that speaks first would wait for it (TCP_QUICKACK, tcp(7)).
   */
  public static void gatherWithHandshake(Channel unconnected) {
    set(unconnected, QUICKACK, 0);
  }

  /**
   * Whether all of the source's bytes were read and the next read finds its end, so that the last
   * bytes had better be written together with it: where a read had caught up, and the peer's end
   * has come.
   */
  public static boolean isEndNext(Connection source) {
    BudgetedReceive receive = source.receive();
    return receive.hasReadTheEnd() || (receive.hasCaughtUp() && source.hasEnded());
  }

  /**
   * Has what is written from now on leave together with the end of the output, in one segment where
   * it fits. Only where the output is ended as soon as all is written, for the kernel holds back
   * what fills no segment (TCP_CORK, tcp(7)).
   */
  public static void gatherWithEnd(Connection sink) {
    if (sink.isActive()) {
      set(sink, CORK, 1);
    }
  }

  private static void set(Channel connection, IntegerUnixChannelOption option, int value) {
    if (connection instanceof EpollConnection epoll) {
      try {
        epoll.config().setOption(option, value);
      } catch (ChannelException e) {
        // It broke meanwhile, and tells that itself.
      }
    }
  }
}
