package io.cascade.relay.hop;

import io.cascade.carriage.coded.ClientName;
import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.coded.CodedService;
import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.tls.TlsRecords;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.cascade.relay.admission.KnownPeers;
import io.cascade.relay.admission.SourcePlaces;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The hop port: one for all chains, with and without TLS, which the first byte distinguishes. Other
 * relays connect here; an unauthenticated peer gets no byte of a stream.
 */
public final class HopServer {
  private static final int MOST_PARKED = 1_024;

  /**
   * Most connections of unknown peers whose header has not arrived; half of those that may be
   * parked or in a handshake.
   */
  private static final int MOST_STRANGERS = 512;

  /** Most of them from one source: several relays may share an address and greet all at once. */
  static final int MOST_OF_STRANGER = 128;

  private final Sockets sockets;
  private final HopTls tls;
  private final Duration headerTimeout;
  private final CodedSettings codedSettings;
  private final @Nullable CodedAcceptor coded;
  private final Map<UUID, List<HopReceiver>> receivers = new ConcurrentHashMap<>();
  private final Map<UUID, CodedService> clients = new ConcurrentHashMap<>();
  private final Map<UUID, Set<ChannelHandlerContext>> parked = new ConcurrentHashMap<>();
  private final AtomicInteger parkedCount = new AtomicInteger();
  private final HopRefusal.Counts refusals = new HopRefusal.Counts();
  private final AtomicInteger owing = new AtomicInteger();
  private final KnownPeers peers = new KnownPeers();
  private final SourcePlaces strangers = new SourcePlaces(MOST_STRANGERS, MOST_OF_STRANGER);
  private volatile boolean paused;
  private volatile boolean parks = true;
  private volatile TestArrivals tests = TestArrivals.NONE;

  /**
   * @param headerTimeout time for a connection's header, including its TLS handshake
   */
  public HopServer(Sockets sockets, HopTls tls, Duration headerTimeout) {
    this(
        sockets,
        tls,
        headerTimeout,
        CodedSettings.of(
            CodedStreamLimits.usual(new StreamMemory(64 << 20, () -> Long.MAX_VALUE))));
  }

  /**
   * @param coded settings and memory that coded hops share
   */
  public HopServer(Sockets sockets, HopTls tls, Duration headerTimeout, CodedSettings coded) {
    this.sockets = sockets;
    this.tls = tls;
    this.headerTimeout = headerTimeout;
    this.codedSettings = coded;
    this.coded =
        sockets.transport().isNative()
            ? new CodedAcceptor(sockets.loops(), this::service, coded)
            : null;
  }

  /** Accepts coded sessions of previous relays; null if the transport does not support them. */
  public @Nullable CodedAcceptor coded() {
    return coded;
  }

  /** Settings and memory that coded hops share. */
  public CodedSettings codedSettings() {
    return codedSettings;
  }

  private @Nullable CodedService service(byte[] name) {
    return paused ? null : installed(name);
  }

  private @Nullable CodedService installed(byte[] encoded) {
    ClientName client = ClientName.decode(encoded);
    if (client != null) {
      return clients.get(client.chain());
    }
    CodedName name = CodedName.decode(encoded);
    if (name == null) {
      return null;
    }
    for (HopReceiver receiver : receivers.getOrDefault(name.chain(), List.of())) {
      if (receiver.hop().equals(name.hop())) {
        return new CodedService(
            receiver.key().ofCodedSessions(), () -> new HopAcceptor(this, true), false);
      }
    }
    return null;
  }

  private byte @Nullable [] installedKey(byte[] name) {
    CodedService service = installed(name);
    return service == null ? null : service.key();
  }

  public ChannelFuture listen(InetSocketAddress at) {
    return sockets.listen(at, SocketTuning.defaults(), () -> new HopAcceptor(this, false));
  }

  /** Takes over a listening socket of another process; accepts connections once it is told to. */
  public ChannelFuture adopt(int descriptor) {
    return sockets.adopt(descriptor, SocketTuning.defaults(), () -> new HopAcceptor(this, false));
  }

  /**
   * Closes connections that wait for a stream. The previous relay then dials again. A connection
   * whose header has not arrived yet still gets its answer.
   */
  public void pause() {
    paused = true;
    receivers.values().forEach(each -> each.forEach(HopReceiver::close));
    parked.values().forEach(waiting -> waiting.forEach(connection -> connection.channel().close()));
  }

  /** Refuses connections for chains that are not installed here, since none will be. */
  public void parkNoMore() {
    parks = false;
  }

  /** Undoes {@link #pause()}. */
  public void resume() {
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /** Known relays, whose connections need no place for unknown peers. */
  public KnownPeers peers() {
    return peers;
  }

  /** Places for connections of unknown peers until their headers have arrived. */
  SourcePlaces strangers() {
    return strangers;
  }

  /** Number of accepted connections whose header has not arrived. */
  public int owingHeaders() {
    return owing.get();
  }

  void owes(int change) {
    owing.addAndGet(change);
  }

  /**
   * Accepts the chain's streams from now on. Connections that arrived earlier are looked up again.
   *
   * @param from the hops that end here, each once and at least one; previous hops that are not
   *     among them accept nothing more
   */
  public void install(UUID chain, List<HopReceiver> from) {
    List<HopReceiver> before = receivers.put(chain, List.copyOf(from));
    if (before != null) {
      before.stream().filter(receiver -> !from.contains(receiver)).forEach(HopReceiver::close);
      hopsChanged();
    }
    for (ChannelHandlerContext waiting : parked.getOrDefault(chain, Set.of())) {
      waiting.executor().execute(() -> ((HopAcceptor) waiting.handler()).chainInstalled());
    }
  }

  /**
   * Accepts coded sessions of the chain's client from now on. They need no header: the session's
   * handshake names the chain.
   *
   * @param service null for none
   */
  public void takeClient(UUID chain, @Nullable CodedService service) {
    CodedService before = service == null ? clients.remove(chain) : clients.put(chain, service);
    if (before != null && !before.equals(service)) {
      hopsChanged();
    }
  }

  /** Stops accepting streams of the chain from relays. */
  public void remove(UUID chain) {
    List<HopReceiver> before = receivers.remove(chain);
    if (before != null) {
      before.forEach(HopReceiver::close);
      hopsChanged();
    }
  }

  /** Stops sessions of hops that were removed or have another key from accepting streams. */
  private void hopsChanged() {
    CodedAcceptor sessions = coded;
    if (sessions != null) {
      sessions.hopsChanged(this::installedKey);
    }
  }

  /** Sets the receiver of throughput tests. */
  public void receiveTests(TestArrivals receiver) {
    tests = receiver;
  }

  TestArrivals tests() {
    return tests;
  }

  public HopRefusal.Counts refusals() {
    return refusals;
  }

  boolean descriptorsAreScarce() {
    return sockets.descriptors().scarce();
  }

  Duration headerTimeout() {
    return headerTimeout;
  }

  /**
   * Makes the TLS handler of an accepted connection; null while no peer can know this relay's
   * certificate.
   */
  @Nullable TlsRecords acceptTls() {
    return tls.accepting();
  }

  /**
   * The receiver of the header's hop. If that hop does not end here, another receiver of the chain,
   * which refuses the header. Null if the chain is not installed here.
   */
  @Nullable HopReceiver receiver(HopHeader header) {
    List<HopReceiver> here = receivers.get(header.chain());
    if (here == null) {
      return null;
    }
    for (HopReceiver receiver : here) {
      if (receiver.hop().equals(header.hop())) {
        return receiver;
      }
    }
    return here.getFirst();
  }

  /** Parks a connection until its chain is installed; false if too many are parked. */
  boolean park(UUID chain, ChannelHandlerContext connection) {
    if (parkedCount.incrementAndGet() > MOST_PARKED || !parks) {
      parkedCount.decrementAndGet();
      return false;
    }
    parked.compute(
        chain,
        (_, waiting) -> {
          Set<ChannelHandlerContext> set =
              waiting == null ? ConcurrentHashMap.<ChannelHandlerContext>newKeySet() : waiting;
          set.add(connection);
          return set;
        });
    return true;
  }

  void unpark(UUID chain, ChannelHandlerContext connection) {
    parked.computeIfPresent(
        chain,
        (_, waiting) -> {
          if (waiting.remove(connection)) {
            parkedCount.decrementAndGet();
          }
          return waiting.isEmpty() ? null : waiting;
        });
  }

  /** Number of parked connections; for tests. */
  int parkedConnections() {
    return parkedCount.get();
  }

  /** Returns the address to which a listening channel is bound. */
  public static InetSocketAddress addressOf(Channel listening) {
    return (InetSocketAddress) listening.localAddress();
  }
}
