package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.DefaultChannelPipeline;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A pipeline in which a failure of its connection may find no handler, because its user has already
 * ended. That is no fault of this program, so it is not logged as a warning with a stack trace.
 */
final class ConnectionPipeline extends DefaultChannelPipeline {
  private static final Logger LOG = Logger.getLogger(ConnectionPipeline.class.getName());

  ConnectionPipeline(Channel channel) {
    super(channel);
  }

  @Override
  protected void onUnhandledInboundException(Throwable cause) {
    if (cause instanceof IOException) {
      LOG.log(
          Level.FINE,
          "{0} failed after its use had ended: {1}",
          new Object[] {channel(), cause.getMessage()});
    } else {
      super.onUnhandledInboundException(cause);
    }
  }
}
