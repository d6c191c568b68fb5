package io.cascade.relay.hop;

import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.Outlet.ServedStream;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;

/**
 * Offers one stream to the next relay: sends its header and first bytes on a warm connection, or on
 * a new one, until the next relay has accepted it. If the stream's client waits for the
 * destination, the first relay of a chain also waits for the {@link ConnectStatus}.
 *
 * <p>A warm connection may turn out to be dead. Then the stream is offered again on another one,
 * with the same counter in its header. If the next relay did receive the first header, it refuses
 * the second one, so that no stream is ever started twice. Runs on the stream's event loop.
 */
final class StreamOffer implements HopDialHandshake.Listener, HopDialler.Dialled {
  private static final int MOST_WARM_ATTEMPTS = 4;

  private final HopHeader header;
  private final boolean first;
  private final EventLoop loop;
  private final WarmPool pool;
  private final HopDialler dialler;
  private final ServedStream stream;
  private int warmAttempts;
  private boolean warm;

  /**
   * @param first whether this relay is the chain's first
   */
  StreamOffer(
      HopHeader header,
      boolean first,
      EventLoop loop,
      WarmPool pool,
      HopDialler dialler,
      ServedStream stream) {
    this.header = header;
    this.first = first;
    this.loop = loop;
    this.pool = pool;
    this.dialler = dialler;
    this.stream = stream;
  }

  /** Offers the stream on a connection of the pool, or on a new one if the pool is empty. */
  void begin() {
    HopDialHandshake connection = pool.take();
    if (connection == null) {
      dial();
    } else {
      offer(connection, true);
    }
    pool.refill();
  }

  private void offer(HopDialHandshake connection, boolean isWarm) {
    warm = isWarm;
    connection.ask(header, this);
    stream.offered(connection.channel(), isWarm);
    connection.channel().flush();
  }

  private void dial() {
    dialler.dial(loop, this, this);
  }

  @Override
  public void connected(HopDialHandshake connection) {
    if (stream.waiting()) {
      offer(connection, false);
    } else {
      connection.abandon("the stream has ended");
    }
  }

  @Override
  public void failed(Throwable cause) {
    stream.failed(ConnectFailed.of(cause, dialler.target()));
  }

  @Override
  public void answered(HopDialHandshake connection, ByteBuf early) {
    StreamStart start = header.start();
    if (first && start != null && start.awaited()) {
      // The stream must not be offered again from here on: the next relay has accepted it.
      DestinationStatus.await(connection.channel(), early, dialler.timeout(), new Awaiting());
    } else {
      stream.confirmed(connection.channel(), early);
    }
  }

  /** Waits for the destination's status; the next relay has accepted the stream. */
  private final class Awaiting implements DestinationStatus.Listener {
    @Override
    public void connected(Channel channel, ByteBuf early) {
      stream.confirmed(channel, early);
    }

    @Override
    public void failed(ConnectFailed.Kind kind) {
      fail(new CloseReason.DestinationFailed(kind, "through " + dialler.target()));
    }

    @Override
    public void missing(String why) {
      fail(new CloseReason.NotConfirmed(dialler.target() + ": " + why));
    }

    private void fail(CloseReason why) {
      if (stream.waiting()) {
        stream.failed(why);
      }
    }
  }

  @Override
  public void died(HopDialHandshake connection, String why) {
    if (!stream.waiting()) {
      return;
    }
    stream.lost(connection.channel());
    if (!warm) {
      stream.failed(new CloseReason.NotConfirmed(dialler.target() + ": " + why));
    } else if (connection.wasSilent()) {
      // The other warm connections are as old: each would delay the stream by another time-out.
      pool.renew();
      dial();
    } else if (++warmAttempts < MOST_WARM_ATTEMPTS) {
      begin();
    } else {
      dial();
    }
  }
}
