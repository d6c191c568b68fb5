package io.cascade.carriage.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;

/**
 * A handler between a connection's pipeline and its socket that changes what is sent, such as TLS.
 * It must send something of its own before the output ends.
 */
public interface Protection extends ChannelHandler {
  /** Sends it and ends the output, after everything that was written. On the event loop. */
  ChannelFuture finishOutput();
}
