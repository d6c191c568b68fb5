package io.cascade.relay.hop;

import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.time.Duration;

/** Waits at a chain's first relay for the last relay's report on the destination. */
public final class DestinationStatus {
  /** Addresses of a destination that its relay tries one after the other. */
  private static final int MOST_ADDRESSES = 4;

  private DestinationStatus() {}

  /** Receives the status. Exactly one of its methods is called, once. */
  public interface Listener {
    /** The destination is connected; {@code early} are bytes that it has already sent. */
    void connected(Channel channel, ByteBuf early);

    /** The destination is not connected, for the given reason. */
    void failed(ConnectFailed.Kind kind);

    /** No status arrived. */
    void missing(String why);
  }

  /**
   * Waits on {@code channel}. Called on its event loop.
   *
   * @param connectTimeout time for each of the destination's addresses
   */
  public static void await(Channel channel, Duration connectTimeout, Listener listener) {
    await(channel, Unpooled.EMPTY_BUFFER, connectTimeout, listener);
  }

  /**
   * @param early bytes that have already arrived; handed over
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
