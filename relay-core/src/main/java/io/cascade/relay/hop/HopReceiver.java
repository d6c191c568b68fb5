package io.cascade.relay.hop;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.tls.Fingerprint;
import io.cascade.relay.stream.InletAnswer;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of one hop of a chain: its key, the counters received under that key, and the
 * connections from the previous relay that have greeted and wait for a stream.
 */
public final class HopReceiver {
  private static final int MOST_WAITING = 1_024;

  private final HopKey key;
  private final @Nullable Fingerprint before;
  private final HopAddress hop;
  private final Streams streams;
  private final ReplayWindow window;
  private final Set<Channel> waiting = ConcurrentHashMap.newKeySet();

  /** Receives the streams. */
  public interface Streams {
    /** Accepts a stream. Called on the connection's event loop. {@code early} is handed over. */
    void arrived(Channel inlet, StreamStart start, ByteBuf early);
  }

  /**
   * @param before fingerprint of the previous relay's certificate; null if the hop is not encrypted
   * @param hop that ends here
   */
  public HopReceiver(HopKey key, @Nullable Fingerprint before, HopAddress hop, Streams streams) {
    this(key, before, hop, streams, null);
  }

  /**
   * @param seen counters received under the key by another process; null for a fresh key
   */
  public HopReceiver(
      HopKey key,
      @Nullable Fingerprint before,
      HopAddress hop,
      Streams streams,
      @Nullable ReplayWindowState seen) {
    this.key = key;
    this.before = before;
    this.hop = hop;
    this.streams = streams;
    this.window = seen == null ? new ReplayWindow() : new ReplayWindow(seen);
  }

  /** Tells the chain's first relay whether the last one has connected to the destination. */
  public static InletAnswer connectStatus() {
    return ConnectStatus.SENDER;
  }

  /** The received counters, for a successor. */
  public ReplayWindowState seen() {
    return window.state();
  }

  /** Closes the connections that wait for a stream; those with streams continue. */
  public void close() {
    for (Channel channel : waiting) {
      // On the event loop, where a stream may just be starting on it.
      channel
          .eventLoop()
          .execute(() -> {
            if (waiting.contains(channel)) {
              channel.close();
            }
          });
    }
  }

  HopKey key() {
    return key;
  }

  /** The hop that ends here. */
  public HopAddress hop() {
    return hop;
  }

  /**
   * Returns why a header is refused: it must be this hop's, authentic, new, and received over the
   * right kind of connection. Null if it is accepted.
   *
   * @param peer fingerprint of the peer's TLS certificate; null for a connection without TLS
   * @param sealed whether the connection is a stream of a session under the hop's key, which needs
   *     no TLS
   */
  @Nullable HopRefusal refuses(
      HopHeader.Unverified read, @Nullable Fingerprint peer, boolean sealed) {
    if ((before == null) != (peer == null) && !sealed) {
      return HopRefusal.WRONG_SECURITY;
    }
    if (before != null && peer != null && !before.equals(peer)) {
      return HopRefusal.WRONG_CERTIFICATE;
    }
    HopHeader header = read.header();
    boolean asks = header.kind() == HopHeader.Kind.GREETING || header.kind().starts();
    if (!asks || !header.hop().equals(hop) || !read.verifiedBy(key)) {
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
