package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A TCP connection by the JDK: no TCP options, no kernel account, no splicing. */
final class NioConnection extends NioSocketChannel implements Connection {
  private final BudgetedReceive receive = new BudgetedReceive();
  private @Nullable Protection protection;

  /** Makes one that is yet to be connected. */
  NioConnection() {
    config().setRecvByteBufAllocator(receive);
  }

  NioConnection(Channel parent, SocketChannel accepted) {
    super(parent, accepted);
    config().setRecvByteBufAllocator(receive);
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
  public boolean isShutdown() {
    return super.isShutdown();
  }

  @Override
  public ChannelFuture shutdownInput() {
    return super.shutdownInput();
  }

  @Override
  public ChannelFuture shutdownOutput() {
    return super.shutdownOutput();
  }

  @Override
  public ChannelFuture shutdown() {
    return super.shutdown();
  }
}
