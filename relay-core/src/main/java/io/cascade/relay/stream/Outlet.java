package io.cascade.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;

/** Opens the onward connections of streams: to the next relay, or to the destination. */
public interface Outlet extends AutoCloseable {
  /**
   * Opens an onward connection on {@code loop}, from that loop, and tells {@code stream} how it
   * went.
   */
  void open(StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream);

  /** Target as people read it. */
  String target();

  /**
   * Whether its connections may change to another congestion control when they lose packets without
   * a queue, even if the stream's settings do not ask for it.
   */
  default boolean respondsToLoss() {
    return false;
  }

  /** Connections kept ready now. */
  default int ready() {
    return 0;
  }

  /** Closes what is kept ready; running streams are not touched. */
  @Override
  void close();

  /** Stream that an outlet serves. Called on the stream's event loop. */
  interface ServedStream {
    /** Bytes may be written to this channel, but must be kept until {@link #confirmed}. */
    void offered(Channel onward, boolean warm);

    /** The far side has taken the stream; {@code early} are bytes it has sent already. */
    void confirmed(Channel onward, ByteBuf early);

    /** The offered channel died unconfirmed; another will be offered. */
    void lost(Channel onward);

    /** No onward connection can be had. */
    void failed(CloseReason reason);

    /** Whether the stream still wants an answer. */
    boolean waiting();

    /** Whether it has bytes to write as soon as the onward connection stands. */
    boolean speaks();
  }
}
