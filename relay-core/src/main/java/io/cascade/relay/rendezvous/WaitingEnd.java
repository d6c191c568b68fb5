package io.cascade.relay.rendezvous;

import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.rendezvous.MeetingNumber;
import io.cascade.carriage.rendezvous.MeetingRefusal;
import io.cascade.carriage.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that waits to be joined. Until then no byte may arrive: one is a failure, and the
 * end of the connection is noticed. Runs on the event loop of its meeting number.
 */
final class WaitingEnd extends PreambleHandler {
  private static final int MOST_BYTES = 512;

  private final MeetingPlace place;
  private final MeetingNumber number;
  private final InetSocketAddress address;
  private @Nullable ScheduledFuture<?> expiry;

  /**
   * @param received bytes after its request; handed over
   */
  WaitingEnd(
      MeetingPlace place, MeetingNumber number, InetSocketAddress address, ByteBuf received) {
    super(MOST_BYTES, received);
    this.place = place;
    this.number = number;
    this.address = address;
  }

  /**
   * Begins to wait.
   *
   * @param longest time to wait
   */
  void rests(Duration longest) {
    expiry =
        context()
            .executor()
            .schedule(
                () -> refuse(MeetingRefusal.EXPIRED), longest.toNanos(), TimeUnit.NANOSECONDS);
    expect();
    if (!state().isOver()) {
      rest();
    }
  }

  MeetingNumber number() {
    return number;
  }

  InetSocketAddress address() {
    return address;
  }

  InetAddress source() {
    return address.getAddress();
  }

  Channel channel() {
    return context().channel();
  }

  /** Whether the connection is still open, as far as this relay knows. */
  boolean isAlive() {
    return !state().isOver() && channel().isActive() && !Connection.of(channel()).hasEnded();
  }

  /**
   * Passes the connection on to a stream.
   *
   * @param next owns bytes that arrived meanwhile
   */
  void joined(Consumer<ByteBuf> next) {
    expect();
    handOver(next);
  }

  /** Ends the wait and sends the reason. */
  void refuse(MeetingRefusal why) {
    if (!state().isOver()) {
      giveUp();
      place.left(this);
      place.server().refuse(channel(), why);
      context().pipeline().remove(this);
    }
  }

  @Override
  protected void parse(ByteBuf bytes) {
    refuse(MeetingRefusal.MALFORMED);
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    giveUp();
    place.left(this);
    place.server().counts().gone();
    channel().close();
  }

  @Override
  protected void late() {
    throw new IllegalStateException("a connection may wait without a message");
  }

  @Override
  protected @Nullable Duration patience() {
    return null;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ScheduledFuture<?> timer = expiry;
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
