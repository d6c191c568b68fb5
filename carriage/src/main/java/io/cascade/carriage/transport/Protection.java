package io.cascade.carriage.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;

/**
 * A handler between a connection's pipeline and its socket that transforms the sent bytes, such as
 * TLS. It must send a last message before the output ends.
 */
public interface Protection extends ChannelHandler {
  /**
   * Sends that message and ends the output, after everything that was written. Called on the event
   * loop.
   */
  ChannelFuture finishOutput();
}
