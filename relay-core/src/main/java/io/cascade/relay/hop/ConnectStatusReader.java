package io.cascade.relay.hop;

import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.transport.ConnectionError;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits at a chain's first relay for the {@link ConnectStatus} of the last one, and leaves the
 * pipeline once it has arrived. Runs on the connection's event loop.
 */
final class ConnectStatusReader extends PreambleHandler {
  private static final int MOST_EARLY_BYTES = 16 * 1_024;

  private final Listener listener;
  private final Duration patience;

  /** Receives the status. Exactly one of its methods is called, once. */
  interface Listener {
    /** The status arrived; {@code early} are bytes that followed it. */
    void received(Channel channel, ConnectStatus status, ByteBuf early);

    /** No status arrived. */
    void missing(String why);
  }

  /**
   * @param early bytes that have already arrived; handed over
   */
  ConnectStatusReader(ByteBuf early, Duration patience, Listener listener) {
    super(MOST_EARLY_BYTES, early);
    this.patience = patience;
    this.listener = listener;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    super.handlerAdded(context);
    expect();
  }

  @Override
  protected void parse(ByteBuf bytes) {
    if (bytes.readableBytes() < ConnectStatus.BYTES) {
      return;
    }
    ConnectStatus status = ConnectStatus.decode(bytes);
    if (status == null) {
      fail("unexpected bytes arrived instead of the destination's status");
    } else {
      Channel channel = context().channel();
      handOver(early -> listener.received(channel, status, early));
    }
  }

  @Override
  protected void late() {
    fail("no status of the destination within " + patience.toSeconds() + " s");
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    fail(
        cause == null
            ? "closed before the destination's status arrived"
            : ConnectionError.words(cause));
  }

  @Override
  protected Duration patience() {
    return patience;
  }

  private void fail(String why) {
    if (!state().isOver()) {
      giveUp();
      listener.missing(why);
    }
  }
}
