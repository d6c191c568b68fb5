package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;

/**
 * Saves a short connection segments and rounds of its event loop: first bytes are sent with the
 * handshake, last bytes with the FIN. Only an optimisation: without it the same bytes would be sent
 * in more segments.
 */
public final class Coalescing {
  private static final int IPPROTO_TCP = 6;
  private static final IntegerUnixChannelOption QUICKACK =
      new IntegerUnixChannelOption("TCP_QUICKACK", IPPROTO_TCP, 12);
  private static final IntegerUnixChannelOption CORK =
      new IntegerUnixChannelOption("TCP_CORK_INT", IPPROTO_TCP, 3);

  private Coalescing() {}

  /**
   * Reads what has already arrived on an accepted connection, often its client's first bytes, since
   * they follow the handshake. So its event loop need not wait for an event. Empty if nothing has
   * arrived, or if the transport cannot tell. An end, a failed connection or a lack of memory is
   * left to the next read. Called on the event loop, before anything is read.
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
   * Sends bytes that are written as soon as the connection is open together with the last segment
   * of its handshake. Called only if there are such bytes, since the kernel holds that segment back
   * meanwhile, and a server that speaks first would wait for it (TCP_QUICKACK, tcp(7)).
   */
  public static void gatherWithHandshake(Channel unconnected) {
    set(unconnected, QUICKACK, 0);
  }

  /**
   * Whether the next read will find the source's end, so that the last bytes are best written
   * together with it: the last read had found all that was available, and the peer's end has
   * arrived.
   */
  public static boolean isEndNext(Connection source) {
    BudgetedReceive receive = source.receive();
    return receive.hasReadTheEnd() || (receive.hasCaughtUp() && source.hasEnded());
  }

  /**
   * Sends bytes that are written from now on together with the end of the output, in one segment if
   * they fit. Called only if the output ends as soon as all is written, since the kernel holds back
   * what does not fill a segment (TCP_CORK, tcp(7)).
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
        // The connection failed meanwhile, and reports that itself.
      }
    }
  }
}
