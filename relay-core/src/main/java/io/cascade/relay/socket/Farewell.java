package io.cascade.relay.socket;

import io.cascade.relay.pump.BudgetedReceive;
import io.cascade.relay.transport.Closing;
import io.cascade.relay.transport.LastWords;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection with a last message that its peer shall read. A connection that is closed while
 * its kernel holds unread bytes is reset, and the reset may overtake the message; so what still
 * comes is read and dropped, for a moment at most.
 */
public final class Farewell extends ChannelInboundHandlerAdapter {
  private static final long PATIENCE_MILLIS = 1_000;
  private static final long READ_BYTES = 2_048;

  private Farewell() {}

  /**
   * Sends {@code words}, ends the output and soon the connection. On its event loop.
   *
   * @param words for the pipeline's encoders; taken over
   */
  public static void bid(Channel channel, Object words) {
    if (!channel.isActive()) {
      ReferenceCountUtil.release(words);
      channel.close();
      return;
    }
    ChannelHandlerContext protection = channel.pipeline().context(LastWords.class);
    if (protection == null) {
      channel.pipeline().addFirst(new Farewell());
    } else {
      channel.pipeline().addAfter(protection.name(), null, new Farewell());
    }
    channel.config().setOption(ChannelOption.SO_LINGER, -1);
    BudgetedReceive receive = channel.config().getRecvByteBufAllocator();
    receive.readFor(() -> READ_BYTES);
    channel
        .writeAndFlush(words)
        .addListener(written -> {
          if (written.isSuccess() && !((DuplexChannel) channel).isInputShutdown()) {
            Closing.finishOutput(channel);
          } else {
            channel.close();
          }
        });
    channel.config().setAutoRead(true);
    channel.eventLoop().schedule(() -> channel.close(), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {}

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      context.channel().close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.channel().close();
  }
}
