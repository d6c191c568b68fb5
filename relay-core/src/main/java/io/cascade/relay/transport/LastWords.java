package io.cascade.relay.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;

/** A handler that must say something of its own before a connection's output ends. */
public interface LastWords extends ChannelHandler {
  /** Says it and ends the output, after everything that was written. On the event loop. */
  ChannelFuture finishOutput();
}
