package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import org.jspecify.annotations.Nullable;

/** A connection without a network, with a clock that a test turns. */
public class EmbeddedConnection extends EmbeddedChannel implements Connection {
  private final BudgetedReceive receive = new BudgetedReceive();
  private @Nullable Protection protection;
  private boolean outputShutdown;

  @SuppressWarnings("this-escape") // to handlers, which are called after it
  public EmbeddedConnection(ChannelHandler... handlers) {
    super(false, false); // not registered yet, for its fields are not there
    config().setRecvByteBufAllocator(receive);
    pipeline().addLast(handlers);
    try {
      register();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The bytes that were written and flushed since the last call. */
  public int takeWritten() {
    int bytes = 0;
    for (ByteBuf written = readOutbound(); written != null; written = readOutbound()) {
      bytes += written.readableBytes();
      written.release();
    }
    return bytes;
  }

  @Override
  public BudgetedReceive receive() {
    return receive;
  }

  @Override
  public @Nullable Protection protection() {
    return protection;
  }

  @Override
  public void protectBy(Protection by) {
    protection = by;
  }

  @Override
  public boolean isInputShutdown() {
    return false;
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    return promise.setSuccess();
  }

  @Override
  public boolean isOutputShutdown() {
    return outputShutdown;
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    outputShutdown = true;
    return promise.setSuccess();
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    return shutdownOutput(promise);
  }
}
