package io.cascade.relay.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;

/** Opens the onward connections of streams: to the next relay, or to the destination. */
public interface Outlet extends AutoCloseable {
  /**
   * Opens an onward connection on {@code loop}, whose thread must make this call, and notifies
   * {@code stream} of the outcome.
   */
  void open(StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream);

  /** The target, for messages. */
  String target();

  /**
   * Whether its connections may change to another congestion control when they lose packets without
   * a queue, even if the stream's settings do not request that.
   */
  default boolean respondsToLoss() {
    return false;
  }

  /** Number of connections that are ready. */
  default int ready() {
    return 0;
  }

  /** Closes the ready connections; running streams are not affected. */
  @Override
  void close();

  /** The stream that an outlet serves. Called on the stream's event loop. */
  interface ServedStream {
    /** Bytes may be written to this channel, but must be kept until {@link #confirmed}. */
    void offered(Channel onward, boolean warm);

    /** The far side has accepted the stream; {@code early} are bytes that it has already sent. */
    void confirmed(Channel onward, ByteBuf early);

    /** The offered channel ended unconfirmed; another one will be offered. */
    void lost(Channel onward);

    /** No onward connection can be opened. */
    void failed(CloseReason reason);

    /** Whether the stream still needs an answer. */
    boolean waiting();

    /** Whether it has bytes to write as soon as the onward connection is open. */
    boolean speaks();
  }
}
