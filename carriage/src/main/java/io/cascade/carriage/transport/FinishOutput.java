package io.cascade.carriage.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.PromiseNotifier;

/** Ends the output of a connection after the written bytes; Netty's own shutdown drops them. */
public final class FinishOutput {
  private FinishOutput() {}

  static ChannelFuture ofPlain(DuplexChannel channel) {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    if (pending == null || pending.isEmpty()) {
      return channel.shutdownOutput();
    }
    return behind(channel.writeAndFlush(Unpooled.EMPTY_BUFFER));
  }

  /** Ends the output of a connection once the kernel has accepted what was written. */
  public static ChannelFuture behind(ChannelFuture written) {
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
