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
 * The hop port: one for all chains, with TLS or without, which the first byte tells. Other relays
 * connect here, and nobody else gets a byte of a stream out of it.
 */
public final class HopServer {
  private static final int MOST_PARKED = 1_024;

  /** Connections of strangers that owe their header; half of what may be parked or shake hands. */
  private static final int MOST_STRANGERS = 512;

  /** The most from one source: several relays may be behind an address and greet all at once. */
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
   * @param headerTimeout how long a connection may take for its header, its TLS handshake included
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
   * @param coded what coded hops share
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

  /** Takes coded sessions of the relays before; null where the transport cannot. */
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

  /** Takes over a listening socket of another process; accepts once told to. */
  public ChannelFuture adopt(int descriptor) {
    return sockets.adopt(descriptor, SocketTuning.defaults(), () -> new HopAcceptor(this, false));
  }

  /**
   * Keeps no connection waiting any more. A relay whose connection is closed before a stream began
   * on it dials again; one that owes a header still gets its answer.
   */
  public void pause() {
    paused = true;
    receivers.values().forEach(each -> each.forEach(HopReceiver::close));
    parked.values().forEach(waiting -> waiting.forEach(connection -> connection.channel().close()));
  }

  /** Refuses connections for chains that are not here: none will be installed. */
  public void parkNoMore() {
    parks = false;
  }

  /** Takes {@link #pause()} back. */
  public void resume() {
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /** Relays that have places of their own here. */
  public KnownPeers peers() {
    return peers;
  }

  /** Places for connections of strangers until their headers have come. */
  SourcePlaces strangers() {
    return strangers;
  }

  /** Number of connections that were accepted and have not sent their header. */
  public int owingHeaders() {
    return owing.get();
  }

  void owes(int change) {
    owing.addAndGet(change);
  }

  /**
   * Takes the chain's streams from now on; connections that came early are looked at again.
   *
   * @param from the hops that end here, each once and at least one; those that were here before and
   *     are not among them take nothing more
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
   * Takes coded sessions of the chain's client from now on. Needs no header: the session says who
   * it is.
   *
   * @param service null for none
   */
  public void takeClient(UUID chain, @Nullable CodedService service) {
    CodedService before = service == null ? clients.remove(chain) : clients.put(chain, service);
    if (before != null && !before.equals(service)) {
      hopsChanged();
    }
  }

  /** Takes no more streams of the chain from relays. */
  public void remove(UUID chain) {
    List<HopReceiver> before = receivers.remove(chain);
    if (before != null) {
      before.forEach(HopReceiver::close);
      hopsChanged();
    }
  }

  /** Sessions of a hop that is no more, or has another key, take no more streams. */
  private void hopsChanged() {
    CodedAcceptor sessions = coded;
    if (sessions != null) {
      sessions.hopsChanged(this::installedKey);
    }
  }

  /** Sets who receives throughput tests from now on. */
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

  /** Makes the TLS of an accepted connection; null where no peer can know this relay yet. */
  @Nullable TlsRecords acceptTls() {
    return tls.accepting();
  }

  /**
   * The receiver by which a header's chain comes; another one of the chain, which refuses it, where
   * its hop does not end here; null where the chain is not here.
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

  /** Parks a connection until its chain is installed; false when too many wait already. */
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

  /** Number of connections that wait for their chain; for tests. */
  int parkedConnections() {
    return parkedCount.get();
  }

  /** The address that a listening channel got. */
  public static InetSocketAddress addressOf(Channel listening) {
    return (InetSocketAddress) listening.localAddress();
  }
}
