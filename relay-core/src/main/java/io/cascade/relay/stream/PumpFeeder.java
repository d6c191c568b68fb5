package io.cascade.relay.stream;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.relay.pump.SourceListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;

/**
 * Passes a connection's bytes to a pump; the last handler of the pipeline, one class for both
 * sides. Every buffer goes to the pump or its gate, which releases it.
 */
final class PumpFeeder extends ChannelInboundHandlerAdapter {
  private final Side side;
  private final SourceListener intake;
  private final RelayStream stream;
  private boolean broken;

  PumpFeeder(Side side, SourceListener intake, RelayStream stream) {
    this.side = side;
    this.intake = intake;
    this.stream = stream;
  }

  @Override
  public boolean isSharable() {
    return false; // Netty would look for an annotation for each
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    intake.received((ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    intake.readComplete();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      ended();
    } else if (!(event instanceof ChannelInputShutdownEvent)) {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    lost(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!intake.hasSourceEnded()) {
      lost(new ConnectionFailure(ConnectionError.BROKEN, "connection closed"));
    }
  }

  /** Netty reports an end of input after every error, which must not count as an end then. */
  private void lost(Throwable cause) {
    broken = true;
    stream.lost(side, cause);
  }

  private void ended() {
    if (!broken) {
      intake.sourceEnded();
      stream.sourceEnded();
    }
  }
}
