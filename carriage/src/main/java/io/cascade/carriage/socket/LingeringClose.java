package io.cascade.carriage.socket;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.Protection;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection after a last message that its peer must be able to read. A connection that is
 * closed while its kernel holds unread bytes is reset, and the reset may overtake the message. So
 * incoming bytes are read and discarded, for a short time.
 */
public final class LingeringClose extends ChannelInboundHandlerAdapter {
  private static final long PATIENCE_MILLIS = 1_000;
  private static final long READ_BYTES = 2_048;

  private LingeringClose() {}

  /**
   * Sends {@code message}, ends the output and soon closes the connection. Called on its event
   * loop.
   *
   * @param message for the pipeline's encoders; taken over
   */
  public static void send(Channel channel, Object message) {
    if (!channel.isActive()) {
      ReferenceCountUtil.release(message);
      channel.close();
      return;
    }
    Connection connection = Connection.of(channel);
    Protection protection = connection.protection();
    if (protection == null) {
      channel.pipeline().addFirst(new LingeringClose());
    } else {
      String before = channel.pipeline().context(protection).name();
      channel.pipeline().addAfter(before, null, new LingeringClose());
    }
    connection.disarm();
    connection.receive().readFor(() -> READ_BYTES);
    connection
        .writeAndFlush(message)
        .addListener(written -> {
          if (written.isSuccess() && !connection.isInputShutdown()) {
            connection.finishOutput();
          } else {
            connection.close();
          }
        });
    connection.config().setAutoRead(true);
    connection
        .eventLoop()
        .schedule(() -> connection.close(), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
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
