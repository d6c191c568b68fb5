package io.cascade.relay.hop;

import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where streams of one chain come in from the relay before: its key, what was seen under it, and
 * the connections that have been greeted and wait.
 */
public final class HopInlet {
  private static final int MOST_WAITING = 1_024;

  private final HopKey key;
  private final int hopIndex;
  private final Streams streams;
  private final ReplayWindow window = new ReplayWindow();
  private final Set<Channel> waiting = ConcurrentHashMap.newKeySet();

  /** Who takes the streams. */
  public interface Streams {
    /** On the connection's event loop. {@code early} is handed over. */
    void arrived(Channel inlet, StreamStart start, ByteBuf early);
  }

  /**
   * @param hopIndex of this relay in its chain
   */
  public HopInlet(HopKey key, int hopIndex, Streams streams) {
    this.key = key;
    this.hopIndex = hopIndex;
    this.streams = streams;
  }

  /** Closes the connections that wait for a stream; those with streams go on. */
  public void close() {
    for (Channel channel : waiting) {
      channel.close();
    }
  }

  HopKey key() {
    return key;
  }

  /** Whether the header is this hop's, is authentic and new; null when it is. */
  @org.jspecify.annotations.Nullable
  HopRefusal refuses(HopHeader.Unverified read) {
    HopHeader header = read.header();
    boolean asks =
        header.kind() == HopHeader.Kind.GREETING || header.kind() == HopHeader.Kind.STREAM;
    if (!asks || header.hopIndex() != hopIndex || !read.verifiedBy(key)) {
      return HopRefusal.WRONG_KEY;
    }
    return window.accept(header.counter()) ? null : HopRefusal.REPLAYED;
  }

  boolean keepWaiting(Channel channel) {
    if (waiting.size() >= MOST_WAITING) {
      return false;
    }
    waiting.add(channel);
    return true;
  }

  void stopsWaiting(Channel channel) {
    waiting.remove(channel);
  }

  void arrived(Channel channel, StreamStart start, ByteBuf early) {
    streams.arrived(channel, start, early);
  }
}
