package io.cascade.relay.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.PromiseNotifier;

/** Ends the output of a connection. */
public final class Closing {
  private static final IntegerUnixChannelOption CORK =
      new IntegerUnixChannelOption("TCP_CORK_INT", 6, 3);

  private Closing() {}

  /**
   * Ends the output in good order, after all that was written: with FIN, and before it with what
   * the connection's protection has to say.
   */
  public static ChannelFuture finishOutput(Channel channel) {
    LastWords last = channel.pipeline().get(LastWords.class);
    return last == null ? shutdownBehindAllWritten(channel) : last.finishOutput();
  }

  /** Whether closing a connection that is not armed to reset ends its output just as well. */
  public static boolean isByClose(Channel channel) {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    boolean allWritten = pending == null || pending.isEmpty();
    return allWritten && channel.pipeline().get(LastWords.class) == null;
  }

  /**
   * What is written from now on leaves together with the end of the output, in one segment where it
   * fits: a segment less to send, and one wake-up less for whoever reads. Only where the output is
   * ended as soon as all is written, for the kernel holds back what fills no segment (TCP_CORK).
   */
  public static void gatherWithEnd(Channel channel) {
    if (channel instanceof EpollConnection epoll && epoll.isActive()) {
      try {
        epoll.config().setOption(CORK, 1);
      } catch (ChannelException e) {
        // It broke meanwhile, and tells that itself.
      }
    }
  }

  /** Netty's own shutdown drops what the kernel has not taken yet. */
  private static ChannelFuture shutdownBehindAllWritten(Channel channel) {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    if (pending == null || pending.isEmpty()) {
      return ((DuplexChannel) channel).shutdownOutput();
    }
    return shutdownBehind(channel.writeAndFlush(Unpooled.EMPTY_BUFFER));
  }

  /** Ends the output of a connection once what was written to it is the kernel's. */
  public static ChannelFuture shutdownBehind(ChannelFuture written) {
    Channel channel = written.channel();
    ChannelPromise ended = channel.newPromise();
    ChannelFutureListener sent =
        future -> {
          Throwable failure = future.cause();
          if (failure == null) {
            PromiseNotifier.cascade(((DuplexChannel) channel).shutdownOutput(), ended);
          } else {
            ended.setFailure(failure);
          }
        };
    written.addListener(sent);
    return ended;
  }
}
