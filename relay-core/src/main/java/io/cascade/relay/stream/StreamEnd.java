package io.cascade.relay.stream;

import io.cascade.relay.pump.BudgetSpent;
import io.cascade.relay.pump.Pump;
import io.cascade.relay.transport.LastWords;
import io.cascade.relay.transport.TcpInfo;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;

/**
 * Feeds a pump from a connection; the last handler of its pipeline, one class for both sides.
 * Passes every buffer on to the pump, which releases it.
 */
final class StreamEnd extends ChannelInboundHandlerAdapter {
  private final Side side;
  private final Pump pump;
  private final RelayStream stream;
  private boolean broken;

  StreamEnd(Side side, Pump pump, RelayStream stream) {
    this.side = side;
    this.pump = pump;
    this.stream = stream;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    pump.received((ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    pump.readComplete();
    if (pump.hasReadTheEnd()
        && ((DuplexChannel) context.channel()).isOutputShutdown()
        && context.pipeline().get(LastWords.class) == null) { // whose word it is otherwise
      // Both ends are here. What Netty does next, shutting the input down, would only fail.
      pump.sourceEnded();
      stream.sourceEnded();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      ended(context);
    } else if (!(event instanceof ChannelInputShutdownEvent)) {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof BudgetSpent)) { // after which the pump reads on when it has room
      lost(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!pump.hasSourceEnded()) {
      lost(new IOException("connection closed"));
    }
  }

  /** Netty reports an end of input behind every error; after this it is none. */
  private void lost(Throwable cause) {
    broken = true;
    stream.lost(side, cause);
  }

  /**
   * An end of input is believed only of a connection that still stands: after a reset whose error
   * something else has consumed, the kernel reports an end of file as well.
   */
  private void ended(ChannelHandlerContext context) {
    if (broken) {
      return;
    }
    boolean outputOpen = !((DuplexChannel) context.channel()).isOutputShutdown();
    TcpInfo info = outputOpen ? TcpInfo.of(context.channel()) : null;
    if (info != null && info.closed()) {
      lost(new IOException("Connection reset by peer"));
    } else {
      pump.sourceEnded();
      stream.sourceEnded();
    }
  }
}
