package io.cascade.relay.hop;

import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;

/** The wait, at a chain's first relay, for what the last one says of the destination. */
public final class DestinationStatus {
  /** Addresses of a destination, which its relay tries one after the other. */
  private static final int MOST_ADDRESSES = 4;

  private DestinationStatus() {}

  /** Receives the status. One of the methods is called, once. */
  public interface Listener {
    /** The destination is connected; {@code early} are bytes that it has sent already. */
    void connected(Channel channel, ByteBuf early);

    /** The destination is not connected, and why. */
    void failed(ConnectFailed.Kind kind);

    /** Nothing was said of the destination. */
    void missing(String why);
  }

  /**
   * Waits on {@code channel}, on whose event loop this is called.
   *
   * @param connectTimeout what each of the destination's addresses may take
   */
  public static void await(Channel channel, Duration connectTimeout, Listener listener) {
    await(channel, Unpooled.EMPTY_BUFFER, connectTimeout, listener);
  }

  /**
   * @param early bytes that have come already; handed over
   */
  static void await(Channel channel, ByteBuf early, Duration connectTimeout, Listener listener) {
    Duration patience = connectTimeout.multipliedBy(MOST_ADDRESSES + 1);
    channel.pipeline().addLast(new ConnectStatusReader(early, patience, new Told(listener)));
  }

  private record Told(Listener listener) implements ConnectStatusReader.Listener {
    @Override
    public void received(Channel channel, ConnectStatus status, ByteBuf early) {
      ConnectFailed.Kind failure = status.failure();
      if (failure == null) {
        listener.connected(channel, early);
        return;
      }
      early.release();
      listener.failed(failure);
    }

    @Override
    public void missing(String why) {
      listener.missing(why);
    }
  }
}
