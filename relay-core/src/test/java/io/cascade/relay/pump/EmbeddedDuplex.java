package io.cascade.relay.pump;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;

/** A connection without a network, with a clock that a test turns. */
final class EmbeddedDuplex extends EmbeddedChannel implements DuplexChannel {
  private boolean outputShutdown;

  /** The bytes that were written and flushed since the last call. */
  int takeWritten() {
    int bytes = 0;
    for (ByteBuf written = readOutbound(); written != null; written = readOutbound()) {
      bytes += written.readableBytes();
      written.release();
    }
    return bytes;
  }

  @Override
  public boolean isInputShutdown() {
    return false;
  }

  @Override
  public ChannelFuture shutdownInput() {
    return shutdownInput(newPromise());
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
  public ChannelFuture shutdownOutput() {
    return shutdownOutput(newPromise());
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    outputShutdown = true;
    return promise.setSuccess();
  }

  @Override
  public boolean isShutdown() {
    return outputShutdown;
  }

  @Override
  public ChannelFuture shutdown() {
    return shutdownOutput();
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    return shutdownOutput(promise);
  }
}
