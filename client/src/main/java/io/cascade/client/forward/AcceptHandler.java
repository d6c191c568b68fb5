package io.cascade.client.forward;

import io.cascade.carriage.transport.Connection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;

/**
 * Hands an accepted connection to its consumer on the connection's event loop, and removes itself
 * from the pipeline.
 */
final class AcceptHandler extends ChannelInboundHandlerAdapter {
  private final Consumer<Connection> taker;

  AcceptHandler(Consumer<Connection> taker) {
    this.taker = taker;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.pipeline().remove(this);
    try {
      taker.accept(Connection.of(context.channel()));
    } catch (RuntimeException | Error e) { // Nothing else reads or closes the connection.
      context.channel().close();
      throw e;
    }
  }
}
