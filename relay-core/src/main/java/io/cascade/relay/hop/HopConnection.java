package io.cascade.relay.hop;

import io.cascade.relay.transport.Connection;
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
 * The dialling end of a connection to the next relay, until a stream has it: sends a header, checks
 * the answer to it. Leaves the pipeline when the next relay has accepted the stream. Runs on the
 * connection's event loop.
 */
final class HopConnection extends ChannelInboundHandlerAdapter {
  private static final long MOST_EARLY_BYTES = 16 * 1_024;

  private final HopKey key;
  private Listener listener;
  private ByteBuf read = Unpooled.EMPTY_BUFFER;
  private @Nullable HopHeader asked;
  private @Nullable Channel channel;
  private @Nullable ScheduledFuture<?> timeout;
  private boolean inputEnded;
  private boolean silent;
  private boolean over;

  /** Who waits for the answer. */
  interface Listener {
    /** The next relay gave the right answer; {@code early} are bytes that came behind it. */
    void answered(HopConnection connection, ByteBuf early);

    /**
     * It did not, or the connection died. Called once at most, and not after the stream was
     * accepted.
     */
    void died(HopConnection connection, String why);
  }

  HopConnection(HopKey key, Listener listener) {
    this.key = key;
    this.listener = listener;
  }

  Channel channel() {
    Channel connected = channel;
    if (connected == null) {
      throw new IllegalStateException("not connected");
    }
    return connected;
  }

  boolean usable() {
    return !over && channel != null && channel.isActive();
  }

  /** Somebody else waits from now on. */
  void listener(Listener newListener) {
    this.listener = newListener;
  }

  /** Sends a header without flushing it; the answer is awaited for so long. */
  void ask(HopHeader header, Duration within) {
    Channel to = channel();
    asked = header;
    to.write(Unpooled.wrappedBuffer(header.encode(key)));
    cancelTimeout();
    timeout =
        to.eventLoop().schedule(() -> noAnswer(within), within.toNanos(), TimeUnit.NANOSECONDS);
    to.read();
  }

  private void noAnswer(Duration within) {
    silent = true;
    die("no answer within " + within.toMillis() + " ms");
  }

  /** Whether it died since nothing came, rather than of something that the kernel said. */
  boolean silent() {
    return silent;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
    Connection.of(context.channel())
        .receive()
        .readFor(() -> MOST_EARLY_BYTES - read.readableBytes());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (over) {
      bytes.release(); // of a read that was under way
      return;
    }
    if (read.isReadable()) {
      read = Unpooled.wrappedBuffer(read, bytes);
    } else {
      read.release();
      read = bytes;
    }
    try {
      HopHeader.Unverified answer = HopHeader.decode(read);
      if (answer != null) {
        check(context, answer);
      }
    } catch (HopHeader.Malformed e) {
      die("answered with something else: " + e.getMessage());
    }
  }

  private void check(ChannelHandlerContext context, HopHeader.Unverified answer) {
    HopHeader question = asked;
    if (question == null || !answer.header().equals(question.answer()) || !answer.verifiedBy(key)) {
      die("answered without the chain's key");
      return;
    }
    cancelTimeout();
    asked = null;
    if (question.kind() == HopHeader.Kind.GREETING) {
      listener.answered(this, Unpooled.EMPTY_BUFFER);
      return;
    }
    over = true;
    ByteBuf early = read;
    read = Unpooled.EMPTY_BUFFER;
    listener.answered(this, early);
    if (inputEnded) {
      context.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    }
    context.pipeline().remove(this);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (over) {
      context.fireChannelReadComplete();
    } else {
      context.read(); // also while it waits unused: that is how its death is noticed
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      inputEnded = true;
      die("closed by the next relay");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    die(String.valueOf(cause.getMessage()));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    die("closed");
  }

  void die(String why) {
    if (over) {
      return;
    }
    over = true;
    cancelTimeout();
    read.release();
    read = Unpooled.EMPTY_BUFFER;
    channel().close();
    listener.died(this, why);
  }

  private void cancelTimeout() {
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
    }
  }
}
