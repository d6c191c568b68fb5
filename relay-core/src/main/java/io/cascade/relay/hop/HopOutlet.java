package io.cascade.relay.hop;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.Fingerprint;
import io.cascade.carriage.tls.HopTls;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outlet to the next relay. Keeps a {@link WarmPool} on every event loop, so that a stream's
 * first bytes are sent with its header at once; dials if the pool is empty.
 */
public final class HopOutlet implements Outlet {
  private final UUID chain;
  private final HopAddress hop;
  private final boolean first;
  private final @Nullable CodedDialler coded;
  private final HopDialler dialler;
  private final StreamSettings settings;
  private final IdentityHashMap<EventExecutor, WarmPool> pools = new IdentityHashMap<>();
  private final AtomicLong counter;

  /**
   * The encryption of the hop.
   *
   * @param tls this relay's
   * @param next fingerprint of the next relay's certificate
   */
  public record Security(HopTls tls, Fingerprint next) {}

  /**
   * @param hop that leads to the next relay
   * @param first whether this is the chain's first relay, which waits for the destination's status
   * @param next its hop port, resolved
   * @param security null if the hop is not encrypted
   * @param coded resources that coded hops share; null if the hop uses TCP
   * @param warm number of connections to keep ready, spread over the event loops
   * @param usedCounter the last counter used with the key, 0 for a fresh key
   */
  public HopOutlet(
      UUID chain,
      HopAddress hop,
      boolean first,
      InetSocketAddress next,
      HopKey key,
      @Nullable Security security,
      @Nullable CodedSettings coded,
      Sockets sockets,
      StreamSettings settings,
      int warm,
      long usedCounter) {
    this.chain = chain;
    this.hop = hop;
    this.first = first;
    this.settings = settings;
    this.counter = new AtomicLong(usedCounter);
    this.coded =
        coded == null
            ? null
            : new CodedDialler(
                new CodedPeer(
                    next,
                    key.ofCodedSessions(),
                    new CodedName(chain, hop).encode(),
                    security != null),
                sockets.loops(),
                coded,
                (loop, handler) ->
                    sockets.connect(
                        loop,
                        next,
                        settings.onward().tuning(),
                        settings.connectTimeout(),
                        true,
                        handler),
                this::renew);
    this.dialler = new HopDialler(sockets, next, key, security, this.coded, settings);
    int loops = 0;
    for (EventExecutor _ : sockets.loops()) {
      loops++;
    }
    int index = 0;
    for (EventExecutor loop : sockets.loops()) {
      int share = warm / loops + (index < warm % loops ? 1 : 0);
      pools.put(loop, new WarmPool((EventLoop) loop, share, dialler, this::greeting));
      index++;
    }
  }

  @Override
  public boolean respondsToLoss() {
    return settings.onward().respondsToLoss();
  }

  /** The hop that leads to the next relay. */
  public HopAddress hop() {
    return hop;
  }

  private HopHeader greeting() {
    return HopHeader.greeting(chain, hop, counter.incrementAndGet());
  }

  /**
   * Fills the pools. Failed connections are dialled again until {@code deadlineNanos}, since the
   * next relay is being installed at the same time; later failures are final.
   *
   * @return completes when every connection is ready, or exceptionally after the deadline
   */
  public CompletableFuture<Void> warmUp(long deadlineNanos) {
    return CompletableFuture.allOf(
        pools.values().stream()
            .map(pool -> pool.warmUp(deadlineNanos))
            .toArray(CompletableFuture[]::new));
  }

  @Override
  public void open(
      StreamStart start, EventLoop loop, StreamSettings streamSettings, ServedStream stream) {
    WarmPool pool = pools.get(loop);
    if (pool == null) {
      throw new IllegalStateException("an event loop of another relay");
    }
    HopHeader header = HopHeader.stream(chain, hop, counter.incrementAndGet(), start);
    new StreamOffer(header, first, loop, pool, dialler, stream).begin();
  }

  /**
   * Returns the counter from which a successor may continue: after all that this process may still
   * use for connections being set up, and within the next relay's replay window.
   */
  public long successorsCounter() {
    return counter.get() + ReplayWindow.SIZE / 4;
  }

  private void renew(EventLoop loop) {
    WarmPool pool = pools.get(loop);
    if (pool != null) {
      pool.renew();
    }
  }

  /** The hop's coded sessions; null if it uses TCP. */
  public @Nullable CodedDialler coded() {
    return coded;
  }

  @Override
  public String target() {
    return dialler.target();
  }

  @Override
  public int ready() {
    return pools.values().stream().mapToInt(WarmPool::size).sum();
  }

  @Override
  public void close() {
    pools.values().forEach(WarmPool::close);
    CodedDialler sessions = coded;
    if (sessions != null) {
      sessions.close();
    }
  }
}
