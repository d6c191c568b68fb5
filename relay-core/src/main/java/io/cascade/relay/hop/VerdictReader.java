package io.cascade.relay.hop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits, at a chain's first relay, for the last one's {@link Verdict}, and leaves the pipeline with
 * it. On the connection's event loop.
 */
final class VerdictReader extends ChannelInboundHandlerAdapter {
  private final Listener listener;
  private final Duration within;
  private ByteBuf read;
  private boolean over;
  private @Nullable ScheduledFuture<?> timeout;

  /** Who waits for it. One of both, once. */
  interface Listener {
    /** {@code early} are bytes that came behind it. */
    void said(Channel channel, Verdict verdict, ByteBuf early);

    void silent(Channel channel, String why);
  }

  /**
   * @param early bytes that have come already; taken over
   */
  VerdictReader(ByteBuf early, Duration within, Listener listener) {
    this.read = early;
    this.within = within;
    this.listener = listener;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    timeout =
        context
            .executor()
            .schedule(
                () ->
                    fail(context, "no word of the destination within " + within.toSeconds() + " s"),
                within.toNanos(),
                TimeUnit.NANOSECONDS);
    decode(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (over) {
      bytes.release();
      return;
    }
    if (read.isReadable()) {
      read = Unpooled.wrappedBuffer(read, bytes);
    } else {
      read.release();
      read = bytes;
    }
    decode(context);
  }

  private void decode(ChannelHandlerContext context) {
    if (over || read.readableBytes() < Verdict.BYTES) {
      return;
    }
    Verdict verdict = Verdict.decode(read);
    if (verdict == null) {
      fail(context, "something else came in the place of a word of the destination");
      return;
    }
    ByteBuf early = read;
    finish();
    listener.said(context.channel(), verdict, early);
    context.pipeline().remove(this);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (over) {
      context.fireChannelReadComplete();
    } else {
      context.read();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (over) {
      context.fireUserEventTriggered(event);
    } else if (event instanceof ChannelInputShutdownReadComplete) {
      fail(context, "closed before a word of the destination");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(context, String.valueOf(cause.getMessage()));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(context, "closed");
  }

  private void fail(ChannelHandlerContext context, String why) {
    if (over) {
      return;
    }
    read.release();
    finish();
    listener.silent(context.channel(), why);
  }

  private void finish() {
    over = true;
    read = Unpooled.EMPTY_BUFFER;
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
    }
  }
}
