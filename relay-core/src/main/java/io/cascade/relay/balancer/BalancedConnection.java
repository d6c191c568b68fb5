package io.cascade.relay.balancer;

import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.relay.admission.RefusalLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of an accepted connection where load balancers are configured: reads the
 * client's address from connections of those balancers and passes all others on unchanged. A
 * balancer's health check, a connection that is closed with or without a header, is not passed on.
 */
public final class BalancedConnection extends PreambleHandler {
  /**
   * The longest time that a balancer may take for its header, or a client after a LOCAL header for
   * its first bytes.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Balancers balancers;
  private final Supplier<ChannelHandler> usual;
  private final Next next;
  private final RefusalLog log;
  private boolean local;

  /** Takes over a connection whose client {@link ClientAddress#of} returns. */
  public interface Next {
    /**
     * @param context the position in the pipeline before which it adds its own handlers
     * @param behind bytes after the header; handed over
     */
    void take(ChannelHandlerContext context, ByteBuf behind);
  }

  private BalancedConnection(
      Balancers balancers, Supplier<ChannelHandler> usual, Next next, RefusalLog log) {
    super(ProxyProtocol.MOST_BYTES);
    this.balancers = balancers;
    this.usual = usual;
    this.next = next;
    this.log = log;
  }

  /**
   * Makes the first handlers of connections.
   *
   * @param usual makes the handler of connections that come from no balancer
   * @param next takes over the connections that come from one
   */
  public static Supplier<ChannelHandler> before(
      Supplier<ChannelHandler> usual, Next next, Balancers balancers, RefusalLog log) {
    return balancers.isEmpty() ? usual : () -> new BalancedConnection(balancers, usual, next, log);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    if (!(channel.remoteAddress() instanceof InetSocketAddress from)) {
      giveUp();
      channel.close(); // reset before its address was read
    } else if (balancers.has(from.getAddress())) {
      expect();
    } else {
      context.pipeline().addLast(usual.get());
      context.fireChannelActive();
      context.pipeline().remove(this);
    }
  }

  @Override
  protected void parse(ByteBuf bytes) {
    if (!local) {
      ProxyProtocol.Header header;
      try {
        header = ProxyProtocol.read(bytes);
      } catch (ProxyProtocol.NotOne e) {
        refuse(e.getMessage() + "; sources in --accept-proxy-protocol must send a valid one");
        return;
      }
      if (header == null) {
        return;
      }
      ClientAddress client = header.client();
      if (client != null) {
        client.tell(context().channel());
      }
      local = header.local();
    }
    if (!local || bytes.isReadable()) {
      handOver(behind -> next.take(context(), behind));
    }
  }

  private void refuse(@Nullable String why) {
    Channel channel = context().channel();
    if (why != null) {
      log.refused(channel.remoteAddress() + " sent " + why);
    }
    giveUp();
    channel.close();
  }

  @Override
  protected Duration patience() {
    return PATIENCE;
  }

  @Override
  protected void late() {
    refuse(local ? null : "no PROXY header in " + PATIENCE.toSeconds() + " s");
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    refuse(null);
  }
}
