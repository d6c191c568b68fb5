package io.cascade.relay.ingress;

import io.cascade.carriage.transport.Coalescing;
import io.cascade.relay.stream.StreamIds;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;

/** Starts a stream for an accepted connection and leaves its pipeline. */
@ChannelHandler.Sharable
final class IngressHandler extends ChannelInboundHandlerAdapter {
  private final IngressListener.Arrivals arrivals;

  IngressHandler(IngressListener.Arrivals arrivals) {
    this.arrivals = arrivals;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    if (channel.remoteAddress() instanceof InetSocketAddress client
        && channel.localAddress() instanceof InetSocketAddress here) {
      ByteBuf first = Coalescing.arrivedWith(channel);
      boolean some = first.isReadable();
      arrivals.arrived(channel, new StreamStart(StreamIds.next(), client, here), first);
      if (some) {
        context.fireChannelReadComplete(); // the stream took over during this read
      }
      context.pipeline().remove(this);
    } else {
      channel.close(); // reset before its address was read
    }
  }
}
