package io.cascade.relay;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.tls.HopTls;
import io.cascade.command.CommandException;
import io.cascade.command.FileKind;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.chain.RelayClock;
import io.cascade.relay.handover.HandoverSocket;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.proxy.ProxyServer;
import io.cascade.relay.registration.Registration;
import io.cascade.relay.rendezvous.RendezvousServer;
import io.cascade.relay.thread.LastingThread;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A running relay: starts its parts in order and stops them in reverse order.
 *
 * <p>It stops gracefully: no new chain or stream is accepted, running streams have the drain time
 * to finish, and the remaining ones are reset.
 */
public final class RelayNode implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(RelayNode.class.getName());
  private static final Duration INSTALL_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofMillis(250);

  /** Time between two checks while there are neither parts nor streams. */
  private static final Duration LOOK_AT_REST = Duration.ofSeconds(1);

  private static final Duration ADVERTISED_LOOK = Duration.ofMinutes(1);
  private static final long DRAIN_LOOK_MILLIS = 20;

  private final RelaySettings settings;
  private final long startedNanos = System.nanoTime();
  private final RelayParts parts;
  final EventLoopGroup loops;
  final ChainTable chains;
  private final List<Thread> regular = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Channel handoverPort;
  private volatile @Nullable RelayControl control;
  private volatile @Nullable Registration registration;
  private volatile @Nullable ProxyServer proxies;
  private volatile @Nullable RendezvousServer rendezvous;
  private volatile boolean superseded;

  private RelayNode(
      RelaySettings settings,
      HopTls tls,
      Duration installTimeout,
      RelayClock clock,
      NameLookups.Resolver names) {
    this.settings = settings;
    this.parts = RelayParts.create(settings, tls, installTimeout, clock, names, this::controls);
    this.loops = parts.loops();
    this.chains = parts.chains();
  }

  /**
   * Starts a relay.
   *
   * @throws IOException if a port cannot be opened
   */
  public static RelayNode start(RelaySettings settings) throws IOException {
    return start(
        settings,
        new HopTls(settings.name(), settings.tlsLibrary()),
        INSTALL_TIMEOUT,
        RelayClock.system(),
        NameLookups.Resolver.SYSTEM);
  }

  /**
   * Starts a relay.
   *
   * @param installTimeout time within which a part's next relay must answer a greeting
   * @param names resolves the names of destinations
   * @throws IOException if a port cannot be opened
   */
  static RelayNode start(
      RelaySettings settings,
      HopTls tls,
      Duration installTimeout,
      RelayClock clock,
      NameLookups.Resolver names)
      throws IOException {
    RelayNode node = new RelayNode(settings, tls, installTimeout, clock, names);
    try {
      node.open();
      return node;
    } catch (IOException | RuntimeException e) {
      node.chains.drain();
      node.stopParts();
      throw e;
    }
  }

  public InetSocketAddress controlAddress() {
    return Objects.requireNonNull(control, "the relay has not started").address();
  }

  /** Number of coded sessions that other relays have opened to this one. */
  int codedSessions() {
    CodedAcceptor coded = parts.hops().coded();
    return coded == null ? 0 : coded.sessions();
  }

  public InetSocketAddress hopAddress() {
    return parts.hopPort().address();
  }

  /** Address of the SOCKS5 port; null if there is none. */
  public @Nullable InetSocketAddress socksAddress() {
    ProxyServer serving = proxies;
    return serving == null ? null : serving.socks();
  }

  /** Address of the HTTP CONNECT port; null if there is none. */
  public @Nullable InetSocketAddress connectAddress() {
    ProxyServer serving = proxies;
    return serving == null ? null : serving.connect();
  }

  /** Address of the port where ends meet; null if there is none. */
  public @Nullable InetSocketAddress rendezvousAddress() {
    RendezvousServer serving = rendezvous;
    return serving == null ? null : serving.address();
  }

  /** Number of connections that wait at that port for the other end. */
  int rendezvousWaiting() {
    RendezvousServer serving = rendezvous;
    return serving == null ? 0 : serving.waiting();
  }

  /** Number of clients of the proxies that have not named their destination yet. */
  int pendingHandshakes() {
    ProxyServer serving = proxies;
    return serving == null ? 0 : serving.pending();
  }

  /** New at every start, except when the process replaces that of a running relay. */
  public UUID instance() {
    return parts.identity().instance();
  }

  /** Time that running streams have to finish when the relay is stopped. */
  Duration drain() {
    return parts.limits().drain();
  }

  /** Whether the relay ended because a later start of it is registered. */
  boolean isSuperseded() {
    return superseded;
  }

  /** Returns when {@link #close()} has finished. */
  public void awaitTermination() throws InterruptedException {
    closed.await();
  }

  /** Drains and stops. Idempotent; returns when everything has stopped. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      awaitClosed();
      return;
    }
    try {
      Registration announced = registration;
      if (announced != null) {
        announced.draining();
      }
      stopTaking();
      chains.drain();
      if (!chains.combinesStreams()) {
        parts.hopPort().stopListening();
      }
      drainStreams();
      stopParts();
    } finally {
      closed.countDown();
    }
  }

  private void open() throws IOException {
    parts.warnOfMissingSplice();
    try {
      settings.proxies().check();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
    Path path = settings.handOver();
    HandoverSocket predecessor = path == null ? null : HandoverSocket.connect(path, loops);
    Map<String, Integer> inherited = Map.of();
    if (predecessor == null) {
      parts.identity().start();
      parts.hopPort().open();
    } else {
      inherited = new TakeOver(parts).from(predecessor);
    }
    ProxyServer serving =
        settings.proxies().any() || !inherited.isEmpty() ? openProxies(inherited) : null;
    proxies = serving;
    RendezvousServer meeting = openRendezvous(inherited);
    rendezvous = meeting;
    RelayControl answering =
        new RelayControl(parts, new ControlAdapter(parts, startedNanos, serving, meeting));
    control = answering;
    answering.open(predecessor != null);
    regular.add(
        LastingThread.every(
            () -> chains.isIdle() ? LOOK_AT_REST : LOOK, "leases-and-activity", this::look));
    regular.add(
        LastingThread.every(
            ADVERTISED_LOOK, "advertised-host", parts.ownPorts()::resolveAdvertised));
    if (!settings.orchestrators().isEmpty()) {
      OrchestratorClient orchestrator =
          new OrchestratorClient(settings.orchestrators(), settings.tokenText());
      Registration announced =
          new Registration(
              orchestrator,
              new RelayAnnouncement(
                  parts,
                  () -> controlAddress().getPort(),
                  this::rendezvousAddress,
                  this::stopSuperseded),
              predecessor != null,
              new SplittableRandom());
      registration = announced;
      announced.start();
      answering.connect(orchestrator, announced::isRegistered);
    }
    if (path != null) {
      handoverPort = HandoverSocket.listen(path, loops, new GiveWay(parts, new Leaving())::to);
    }
  }

  private void look() {
    chains.expireLeases();
    parts.activity().look();
    RendezvousServer meeting = rendezvous;
    if (meeting != null) {
      meeting.look();
    }
  }

  private boolean controls(int port) {
    RelayControl answering = control;
    return answering != null && answering.isAt(port);
  }

  /**
   * @param inherited a predecessor's listening sockets, by protocol
   */
  private ProxyServer openProxies(Map<String, Integer> inherited) throws IOException {
    try {
      return ProxyServer.open(
          settings.proxies(),
          parts.sockets(),
          parts.names(),
          chains.admission(),
          parts.destinations(),
          OrchestratorRoutes.of(parts),
          parts.uses(),
          settings.balancers(),
          inherited);
    } catch (IOException e) {
      throw new CommandException(
          e.getMessage() + "; fix: choose another, or port 0 for a free one", e);
    }
  }

  private @Nullable RendezvousServer openRendezvous(Map<String, Integer> inherited)
      throws IOException {
    Integer descriptor = inherited.get(RendezvousServer.PROTOCOL);
    InetSocketAddress at = settings.rendezvous().at();
    if (at == null) {
      if (descriptor != null) {
        new FileDescriptor(descriptor).close();
      }
      return null;
    }
    try {
      return RendezvousServer.open(
          at, settings.rendezvous().limits(), parts.sockets(), chains.admission(), descriptor);
    } catch (IOException e) {
      throw new CommandException(
          e.getMessage() + "; fix: choose another with --rendezvous, or port 0 for a free one", e);
    }
  }

  private void stopSuperseded(String reason) {
    superseded = true;
    LOG.severe("stopping, since another process runs this relay now: " + reason);
    Thread.startVirtualThread(this::close);
  }

  /** Lets another process replace this one. */
  private final class Leaving implements GiveWay.Node {
    @Override
    public boolean isClosing() {
      return closing.get();
    }

    @Override
    public @Nullable ProxyServer proxies() {
      return proxies;
    }

    @Override
    public @Nullable RendezvousServer rendezvous() {
      return rendezvous;
    }

    @Override
    public void leave() {
      stopTaking();
      parts.hopPort().stopListening();
      chains.drain();
      stopAnswering();
      parts.identity().release();
    }

    /** Waits without a bound, since no process waits for the port any longer. */
    @Override
    public void finishStreams() {
      Registration announced = registration;
      registration = null;
      if (announced != null) {
        announced.leave();
      }
      LOG.info(
          "replaced by another process; "
              + chains.counters().runningStreams()
              + " streams continue here until they end; after a signal to process "
              + ProcessHandle.current().pid()
              + " they have "
              + drain().toSeconds()
              + " s");
      while (chains.counters().runningStreams() > 0 && !closing.get()) {
        pauseBriefly();
      }
      close();
    }
  }

  private void drainStreams() {
    Duration drain = drain();
    long deadline = System.nanoTime() + drain.toNanos();
    int left = chains.counters().runningStreams();
    if (left > 0) {
      LOG.info("draining " + left + " streams for at most " + drain.toSeconds() + " s");
    }
    while (chains.counters().runningStreams() > 0
        && System.nanoTime() < deadline
        && !Thread.currentThread().isInterrupted()) {
      pauseBriefly();
    }
    left = chains.counters().runningStreams();
    if (left > 0) {
      LOG.warning("resetting " + left + " streams that did not finish in time");
      chains.abortAll("relay stopped");
    }
  }

  /** Stops accepting clients of proxies, and successors. */
  private void stopTaking() {
    ProxyServer serving = proxies;
    if (serving != null) {
      serving.close();
    }
    RendezvousServer meeting = rendezvous;
    if (meeting != null) {
      meeting.close();
    }
    Channel handover = handoverPort;
    handoverPort = null;
    Path path = settings.handOver();
    if (handover != null && path != null) {
      handover.close().awaitUninterruptibly();
      try {
        FileKind.removeSocket(path);
      } catch (IOException e) {
        LOG.log(Level.FINE, "{0} stays: {1}", new Object[] {path, e});
      }
    }
  }

  private void stopAnswering() {
    parts.tests().stop();
    RelayControl answering = control;
    control = null;
    if (answering != null) {
      answering.close();
    }
    parts.hopPort().stopProbes();
  }

  private void stopParts() {
    Registration announced = registration;
    if (announced != null) {
      announced.close();
    }
    parts.identity().release();
    parts.hopPort().stopListening();
    stopAnswering();
    regular.forEach(Thread::interrupt);
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void pauseBriefly() {
    try {
      Thread.sleep(DRAIN_LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
