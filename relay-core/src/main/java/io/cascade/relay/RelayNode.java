package io.cascade.relay;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.command.Complaint;
import io.cascade.command.ListenFailure;
import io.cascade.command.Version;
import io.cascade.relay.chain.Bequest;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.chain.RelayClock;
import io.cascade.relay.control.ControlServer;
import io.cascade.relay.control.Validation;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.destination.OwnPorts;
import io.cascade.relay.handover.Estate;
import io.cascade.relay.handover.HandOverSocket;
import io.cascade.relay.handover.TunedLimits;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.identity.IdentityFile;
import io.cascade.relay.probe.ConnectProbe;
import io.cascade.relay.probe.LinkProbes;
import io.cascade.relay.probe.LinkReport;
import io.cascade.relay.proxy.ProxyServer;
import io.cascade.relay.proxy.Route;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.registration.Registrant;
import io.cascade.relay.registration.Registration;
import io.cascade.relay.socket.SocketBuffers;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.telemetry.RelayMetrics;
import io.cascade.relay.throughput.StreamActivity;
import io.cascade.relay.throughput.ThroughputTests;
import io.cascade.relay.tls.HopTls;
import io.cascade.relay.tls.IdentityPapers;
import io.cascade.relay.transport.KernelPipe;
import io.cascade.relay.transport.SocketTuning;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A running relay: where its parts are put together, started in order and stopped in reverse.
 *
 * <p>Stopping is graceful: no new chain or stream is taken, running streams get the drain time to
 * finish, and what is left then is reset.
 */
public final class RelayNode implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(RelayNode.class.getName());
  private static final Duration HEADER_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration INSTALL_TIMEOUT = Duration.ofSeconds(5);
  private static final long LEASE_LOOK_MILLIS = 200;
  private static final long ACTIVITY_LOOK_MILLIS = 250;
  private static final long DRAIN_LOOK_MILLIS = 20;
  private static final long ADVERTISED_LOOK_MILLIS = 60_000;
  private static final int MOST_PORT_ATTEMPTS = 10;

  /** For another process, which may be starting on a busy machine, to say the next word. */
  private static final Duration HAND_OVER_PATIENCE = Duration.ofSeconds(10);

  /** For headers of connections that were accepted just before this process gave way. */
  private static final Duration HEADER_PATIENCE = Duration.ofSeconds(1);

  /** More than a relay says between leaving and falling silent. */
  private static final long SEQUENCE_LEAP = 1L << 20;

  private static final String SERVING = "serving";
  private static final String LEFT = "left";

  private final RelaySettings settings;
  private final long startedNanos = System.nanoTime();
  final EventLoopGroup loops;
  private final HopTls tls;
  private final Sockets sockets;
  private final HopServer hops;
  private final OwnPorts ownPorts;
  private final DestinationPolicy destinations;
  final ChainTable chains;
  private final LiveLimits limits;
  private final StreamActivity activity;
  private final ThroughputTests tests;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicBoolean givingWay = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile UUID instance = UUID.randomUUID();
  private volatile @Nullable Channel hopPort;
  private volatile @Nullable Channel handOverPort;
  private volatile @Nullable LinkProbes probes;
  private volatile @Nullable RelayMetrics metrics;
  private volatile @Nullable ControlServer control;
  private volatile @Nullable Registration registration;
  private volatile @Nullable IdentityFile identity;
  private volatile @Nullable RelaySigner signer;
  private volatile boolean superseded;
  private volatile @Nullable ProxyServer proxies;
  private final DestinationUses destinationUses = new DestinationUses();
  private volatile Map<String, Integer> inheritedProxies = Map.of();

  private RelayNode(RelaySettings settings, HopTls tls, Duration installTimeout, RelayClock clock) {
    this.settings = settings;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            settings.eventLoops(),
            new DefaultThreadFactory("cascade-loop", true),
            settings.transport().newIoHandlerFactory());
    this.sockets = new Sockets(settings.transport(), loops);
    this.tls = tls;
    this.hops = new HopServer(sockets, tls, HEADER_TIMEOUT);
    RelaySettings.PortRange ports = settings.ingressPorts();
    this.ownPorts = new OwnPorts(settings.advertise(), this::listensOn);
    this.destinations =
        new DestinationPolicy(
            settings.proxies().rules(), settings.listen().isLoopbackAddress(), ownPorts);
    this.chains =
        new ChainTable(
            sockets,
            hops,
            tls,
            new MemoryBudget(settings.memoryBudgetBytes()),
            new ChainTable.Limits(
                settings.listen(),
                settings.advertise(),
                ports == null ? null : new ChainTable.PortRange(ports.first(), ports.last()),
                settings.maxStreams(),
                StreamSettings.DEFAULT_BUFFER_BYTES,
                settings.spoolDir(),
                settings.pump(),
                installTimeout,
                settings.hopSecurity() != HopSecurity.PLAIN,
                settings.hopSecurity() != HopSecurity.TLS),
            destinations,
            clock,
            settings.serveAlone());
    this.limits = new LiveLimits(chains, DirectMemory.of(settings), settings.drain());
    this.activity =
        new StreamActivity(
            () -> chains.bytes(Direction.FORWARD) + chains.bytes(Direction.BACKWARD),
            System::nanoTime);
    this.tests =
        new ThroughputTests(
            sockets, activity, settings.testBudgetBytes(), chains::isDraining, System::nanoTime);
    hops.receiveTests(tests);
  }

  /**
   * Starts a relay.
   *
   * @throws IOException when a port cannot be had
   */
  public static RelayNode start(RelaySettings settings) throws IOException {
    return start(
        settings,
        new HopTls(settings.name(), settings.tlsLibrary()),
        INSTALL_TIMEOUT,
        RelayClock.system());
  }

  /**
   * Starts a relay.
   *
   * @param installTimeout how long the next relay of a part may take to greet back
   * @throws IOException when a port cannot be had
   */
  static RelayNode start(
      RelaySettings settings, HopTls tls, Duration installTimeout, RelayClock clock)
      throws IOException {
    RelayNode node = new RelayNode(settings, tls, installTimeout, clock);
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
    return required(control).address();
  }

  public InetSocketAddress hopAddress() {
    return HopServer.addressOf(required(hopPort));
  }

  /** Where SOCKS5 is spoken; null where it is not. */
  public @Nullable InetSocketAddress socksAddress() {
    ProxyServer serving = proxies;
    return serving == null ? null : serving.socks();
  }

  /** Where HTTP CONNECT is spoken; null where it is not. */
  public @Nullable InetSocketAddress connectAddress() {
    ProxyServer serving = proxies;
    return serving == null ? null : serving.connect();
  }

  /** Of clients of the proxies that have not said yet where they want to go. */
  int pendingHandshakes() {
    ProxyServer serving = proxies;
    return serving == null ? 0 : serving.pending();
  }

  /** New at every start, but for a start that takes the place of a running relay. */
  public UUID instance() {
    return instance;
  }

  /** How long running streams may take to end when the relay is stopped. */
  Duration drain() {
    return limits.drain();
  }

  /** Whether it ended because a later start of the same relay is registered. */
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
      stopListening();
      chains.drain();
      drainStreams();
      stopParts();
    } finally {
      closed.countDown();
    }
  }

  private void open() throws IOException {
    if (settings.pump() == PumpMode.SPLICE) {
      String missing =
          settings.transport().isNative()
              ? KernelPipe.missing()
              : "the " + settings.transport() + " transport cannot splice (expected: epoll)";
      if (missing != null) {
        LOG.warning("--pump splice: " + missing + "; all streams are copied");
      }
    }
    try {
      settings.proxies().check();
    } catch (IllegalArgumentException e) {
      throw new Complaint(String.valueOf(e.getMessage()), e);
    }
    Path path = settings.handOver();
    HandOverSocket predecessor = path == null ? null : HandOverSocket.connect(path, loops);
    if (predecessor == null && settings.orchestrator() != null) {
      identify(IdentityFile.start(settings.identity()), 0);
    }
    LinkProbes reflecting = predecessor == null ? openHopPort() : takeOver(predecessor);
    probes = reflecting;
    ProxyServer serving =
        settings.proxies().any() || !inheritedProxies.isEmpty() ? openProxies() : null;
    proxies = serving;
    NodeParts parts =
        new NodeParts(settings, instance, startedNanos, chains, hops, tls, limits, serving, tests);
    RelayMetrics readings =
        new RelayMetrics(settings.name(), settings.site(), instance.toString(), parts, reflecting);
    metrics = readings;
    control = predecessor == null ? control(parts, readings) : controlAfter(parts, readings);
    Future<?> _ =
        loops
            .next()
            .scheduleWithFixedDelay(
                () -> Thread.startVirtualThread(chains::expireLeases),
                LEASE_LOOK_MILLIS,
                LEASE_LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    Future<?> _ =
        loops
            .next()
            .scheduleWithFixedDelay(
                () -> Thread.startVirtualThread(ownPorts::resolveAdvertised),
                0,
                ADVERTISED_LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    Future<?> _ =
        loops
            .next()
            .scheduleWithFixedDelay(
                () -> Thread.startVirtualThread(activity::look),
                ACTIVITY_LOOK_MILLIS,
                ACTIVITY_LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    if (settings.orchestrator() != null) {
      Registration announced =
          new Registration(
              new OrchestratorClient(settings.orchestrator(), settings.token()),
              new Announced(),
              new SplittableRandom());
      registration = announced;
      announced.start();
    }
    if (path != null) {
      handOverPort = HandOverSocket.listen(path, loops, this::giveWay);
    }
  }

  private void identify(IdentityFile file, long sequence) {
    identity = file;
    signer = new RelaySigner(file.key(), file.generation(), sequence);
  }

  private boolean listensOn(int port) {
    ControlServer answering = control;
    return sockets.listensOn(port) || (answering != null && answering.address().getPort() == port);
  }

  private ProxyServer openProxies() throws IOException {
    try {
      return ProxyServer.open(
          settings.proxies(),
          sockets,
          chains,
          destinations,
          routePlanner(),
          destinationUses,
          inheritedProxies);
    } catch (IOException e) {
      throw new Complaint(e.getMessage() + ": choose another, or port 0 for a free one", e);
    }
  }

  /** The orchestrator, where there is one. */
  private Route.@Nullable Planner routePlanner() {
    if (settings.orchestrator() == null) {
      return null;
    }
    OrchestratorClient client = new OrchestratorClient(settings.orchestrator(), settings.token());
    return (destination, trial) -> {
      RouteAnswer answer =
          client.route(settings.name(), new RouteQuestion(instance, destination, trial));
      return new Route(
          answer.chainId(),
          Boolean.TRUE.equals(answer.trial()),
          Duration.ofSeconds(answer.validSeconds()));
    };
  }

  private ControlServer control(NodeParts parts, RelayMetrics readings) throws IOException {
    return ControlServer.start(
        new InetSocketAddress(settings.listen(), settings.controlPort()),
        settings.token(),
        parts,
        new ConnectProbe(destinations, System::nanoTime)::probe,
        tests,
        readings::scrape);
  }

  /** The predecessor has closed its control port, or is about to. */
  private ControlServer controlAfter(NodeParts parts, RelayMetrics readings) throws IOException {
    long deadline = System.nanoTime() + HAND_OVER_PATIENCE.toNanos();
    while (true) {
      try {
        return control(parts, readings);
      } catch (BindException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
      pauseBriefly();
    }
  }

  /**
   * Takes the place of a running relay: its listening sockets, chains, keys and name. It finishes
   * the streams that it has, and goes.
   *
   * @throws IOException when that cannot be; the other one goes on then
   */
  private LinkProbes takeOver(HandOverSocket predecessor) throws IOException {
    try (predecessor) {
      predecessor.send(settings.name());
      Estate estate = estate(predecessor.read(HAND_OVER_PATIENCE));
      List<Integer> descriptors = predecessor.readSockets(estate.sockets(), HAND_OVER_PATIENCE);
      instance = estate.instance();
      inheritIdentity(estate.signing());
      IdentityPapers papers = estate.papers();
      if (papers != null) {
        tls.inherit(papers);
      }
      ChannelFuture adopted = hops.adopt(descriptors.getFirst()).awaitUninterruptibly();
      if (!adopted.isSuccess()) {
        throw new IOException("the hop port cannot be taken over: " + adopted.cause().getMessage());
      }
      Channel listening = adopted.channel();
      hopPort = listening;
      int port = HopServer.addressOf(listening).getPort();
      if (settings.hopPort() != 0 && settings.hopPort() != port) {
        throw new Complaint(
            "hop port "
                + settings.hopPort()
                + ": the relay to be replaced listens on "
                + port
                + "; start with --hop-port "
                + port
                + ", or with another --hand-over");
      }
      Iterator<Integer> ingress = descriptors.listIterator(1);
      for (Bequest bequest : estate.chains()) {
        chains.inherit(bequest, bequest.listens() ? ingress.next() : null);
      }
      Map<String, Integer> ports = new HashMap<>();
      estate.proxies().forEach(protocol -> ports.put(protocol, ingress.next()));
      inheritedProxies = ports;
      LinkProbes reflecting = probesOn(port);
      chains.resume();
      sockets.accept(listening, true);
      predecessor.send(SERVING);
      if (!predecessor.read(HAND_OVER_PATIENCE).equals(LEFT)) {
        throw new IOException("the relay to be replaced does not go");
      }
      inheritLimits(predecessor);
      lockIdentity();
      LOG.info("took over " + estate.chains().size() + " chains from a running relay");
      return reflecting;
    } catch (PartRefused e) {
      throw new IOException("a chain cannot be taken over: " + e.getMessage(), e);
    }
  }

  /** The predecessor's; its own where that spoke to no orchestrator. */
  private void inheritIdentity(Estate.@Nullable Signing signing) {
    if (settings.orchestrator() == null) {
      return;
    }
    if (signing == null) {
      identify(IdentityFile.start(settings.identity()), 0);
    } else {
      identify(
          IdentityFile.takeOver(settings.identity(), signing.publicKey(), signing.generation()),
          signing.sequence());
    }
  }

  /** The predecessor has released it, or is about to. Whatever happens, this process serves. */
  private void lockIdentity() {
    IdentityFile own = identity;
    try {
      if (own != null && !own.awaitLock(HAND_OVER_PATIENCE)) {
        LOG.warning("identity " + settings.identity() + ": another process holds its lock");
      }
    } catch (IOException e) {
      LOG.warning("identity " + settings.identity() + " is not locked: " + e.getMessage());
    }
  }

  @SuppressWarnings("UnusedException") // its text may hold keys
  private static Estate estate(String line) throws IOException {
    try {
      return Json.strict().readValue(line, Estate.class);
    } catch (JacksonException e) {
      String why = line.startsWith("{") ? "what it leaves is of another version" : line;
      throw new IOException("cannot be taken over: " + why);
    }
  }

  /** The last that is said, and not by every version. Whatever it is, this process serves. */
  private void inheritLimits(HandOverSocket predecessor) {
    String line;
    try {
      line = predecessor.read(HAND_OVER_PATIENCE);
    } catch (IOException e) {
      LOG.info("the relay that was replaced left no limits; those of the command line hold");
      return;
    }
    try {
      TunedLimits before = Json.lenient().readValue(line, TunedLimits.class);
      List<String> complaints = before == null ? List.of("none") : Validation.complaints(before);
      if (before != null && complaints.isEmpty()) {
        limits.inherit(before);
      } else {
        LOG.log(Level.WARNING, "limits of the relay that was replaced: {0}", complaints);
      }
    } catch (JacksonException e) {
      LOG.warning("limits of the relay that was replaced: not understood");
    }
  }

  /** Another process of this relay has come to take its place. On a thread of its own. */
  private void giveWay(HandOverSocket successor) {
    boolean replaced = false;
    try (successor) {
      String name = successor.read(HAND_OVER_PATIENCE);
      if (!name.equals(settings.name()) || closing.get() || !givingWay.compareAndSet(false, true)) {
        successor.send(
            name.equals(settings.name())
                ? "the relay is stopping or being replaced already"
                : "the relay there is called " + settings.name());
        return;
      }
      try {
        leaveTo(successor);
        replaced = true;
        successor.send(LEFT);
        successor.send(Json.strict().writeValueAsString(limits.bequest()));
      } finally {
        givingWay.set(replaced);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "not replaced after all: {0}", e.getMessage());
    }
    if (replaced) {
      finishStreams();
    }
  }

  /** Returns when the successor serves in this one's place; goes on as before when it fails. */
  private void leaveTo(HandOverSocket successor) throws IOException {
    boolean serving = false;
    Channel listening = required(hopPort);
    ProxyServer applications = proxies;
    chains.pause();
    sockets.accept(listening, false);
    if (applications != null) {
      applications.accept(false);
    }
    hops.pause();
    try {
      awaitHeaders();
      ChainTable.Bequests bequests = chains.bequests();
      Estate estate =
          new Estate(
              settings.name(),
              instance,
              tls.papers(),
              bequests.chains(),
              applications == null ? List.of() : applications.protocols(),
              signing());
      List<Integer> descriptors = new ArrayList<>();
      descriptors.add(((UnixChannel) listening).fd().intValue());
      descriptors.addAll(bequests.descriptors());
      if (applications != null) {
        descriptors.addAll(applications.descriptors());
      }
      successor.send(Json.strict().writeValueAsString(estate));
      successor.sendSockets(descriptors, HAND_OVER_PATIENCE);
      serving = successor.read(HAND_OVER_PATIENCE).equals(SERVING);
      if (!serving) {
        throw new IOException("the other process did not say that it serves");
      }
    } finally {
      if (!serving) {
        hops.resume();
        sockets.accept(listening, true);
        if (applications != null) {
          applications.accept(true);
        }
        chains.resume();
      }
    }
    stopListening();
    chains.drain();
    stopAnswering();
    releaseIdentity();
  }

  private Estate.@Nullable Signing signing() {
    RelaySigner own = signer;
    return own == null
        ? null
        : new Estate.Signing(
            own.key().publicKey(), own.generation(), own.sequence() + SEQUENCE_LEAP);
  }

  private void releaseIdentity() {
    IdentityFile held = identity;
    if (held != null) {
      held.close();
    }
  }

  /** A connection that was accepted may still bring a stream: its header is on the way. */
  private void awaitHeaders() {
    long deadline = System.nanoTime() + HEADER_PATIENCE.toNanos();
    while (hops.owingHeaders() + pendingHandshakes() > 0 && System.nanoTime() < deadline) {
      pauseBriefly();
    }
  }

  /** Nobody waits for the port any more, so streams may take the time they need. */
  private void finishStreams() {
    Registration announced = registration;
    registration = null;
    if (announced != null) {
      announced.leave();
    }
    LOG.info(
        "replaced by another process; "
            + chains.runningStreams()
            + " streams go on here until they end; a signal to process "
            + ProcessHandle.current().pid()
            + " gives them "
            + limits.drain().toSeconds()
            + " s");
    while (chains.runningStreams() > 0 && !closing.get()) {
      pauseBriefly();
    }
    close();
  }

  private static void pauseBriefly() {
    try {
      Thread.sleep(DRAIN_LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * One port number for hops on TCP and probes on UDP; where any will do, one that is free on both.
   */
  private LinkProbes openHopPort() throws IOException {
    for (int attempt = 1; ; attempt++) {
      Channel listening = listenForHops();
      try {
        LinkProbes reflecting = probesOn(HopServer.addressOf(listening).getPort());
        hopPort = listening;
        return reflecting;
      } catch (IOException | RuntimeException e) {
        listening.close().awaitUninterruptibly();
        if (settings.hopPort() != 0 || attempt == MOST_PORT_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private LinkProbes probesOn(int port) throws IOException {
    return LinkProbes.open(
        new InetSocketAddress(settings.listen(), port),
        settings.handOver() != null,
        System::nanoTime,
        InstantSource.system(),
        new SplittableRandom());
  }

  private Channel listenForHops() {
    InetSocketAddress at = new InetSocketAddress(settings.listen(), settings.hopPort());
    ChannelFuture bound = hops.listen(at).awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      throw new Complaint(
          "hop port "
              + settings.hopPort()
              + " cannot be opened ("
              + ListenFailure.words(failure)
              + "): choose another with --hop-port, or 0 for a free one");
    }
    return bound.channel();
  }

  private void drainStreams() {
    Duration drain = limits.drain();
    long deadline = System.nanoTime() + drain.toNanos();
    int left = chains.runningStreams();
    if (left > 0) {
      LOG.info("draining " + left + " streams for at most " + drain.toSeconds() + " s");
    }
    try {
      while (chains.runningStreams() > 0 && System.nanoTime() < deadline) {
        Thread.sleep(DRAIN_LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (chains.runningStreams() > 0) {
      LOG.warning("resetting " + chains.runningStreams() + " streams that did not finish in time");
      chains.abortAll("relay stopped");
    }
  }

  private void stopListening() {
    ProxyServer serving = proxies;
    if (serving != null) {
      serving.close();
    }
    Channel hop = hopPort;
    hopPort = null;
    if (hop != null) {
      hop.close().awaitUninterruptibly();
    }
    Channel handOver = handOverPort;
    handOverPort = null;
    Path path = settings.handOver();
    if (handOver != null && path != null) {
      handOver.close().awaitUninterruptibly();
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        LOG.log(Level.FINE, "{0} stays: {1}", new Object[] {path, e});
      }
    }
  }

  private void stopAnswering() {
    tests.stop();
    ControlServer answering = control;
    control = null;
    if (answering != null) {
      answering.close();
    }
    LinkProbes reflecting = probes;
    probes = null;
    if (reflecting != null) {
      reflecting.close();
    }
  }

  private void stopParts() {
    Registration announced = registration;
    if (announced != null) {
      announced.close();
    }
    releaseIdentity();
    stopAnswering();
    RelayMetrics readings = metrics;
    if (readings != null) {
      readings.close();
    }
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T required(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the relay has not started");
    }
    return part;
  }

  /** The relay as the orchestrator sees it. */
  private final class Announced implements Registrant {
    @Override
    public RelayRegistration registration() {
      SocketBuffers buffers = SocketBuffers.ofThisHost();
      return new RelayRegistration(
          settings.name(),
          settings.site(),
          instance,
          Version.text(),
          new Endpoint(settings.advertise(), controlAddress().getPort()),
          new Endpoint(settings.advertise(), hopAddress().getPort()),
          settings.capacityBitsPerSecond(),
          settings.pricePerGib(),
          SocketTuning.defaultCongestionControl(),
          settings.transport().isNative() ? SocketTuning.congestionControls() : List.of(),
          io.cascade.api.orchestrator.HopSecurity.valueOf(settings.hopSecurity().name()),
          settings.hopSecurity() == HopSecurity.PLAIN ? null : tls.fingerprint().sha256(),
          buffers.mostSendBytes(),
          buffers.mostReceiveBytes(),
          "",
          0L,
          0L,
          "");
    }

    @Override
    public RelaySigner signer() {
      return required(signer);
    }

    @Override
    public long runningStreams() {
      return chains.runningStreams();
    }

    @Override
    public long heldBytes() {
      return chains.memory().heldBytes();
    }

    @Override
    public RelayLimits limits() {
      return limits.announced();
    }

    @Override
    public LinkReport links() {
      return required(probes).drain();
    }

    @Override
    public DestinationUses destinations() {
      return destinationUses;
    }

    @Override
    public void peers(List<RelayPeer> peers) {
      chains.contacted();
      required(probes).peers(peers);
    }

    @Override
    public void replaced(String reason) {
      superseded = true;
      LOG.severe("stopping, for another process is this relay now: " + reason);
      Thread.startVirtualThread(RelayNode.this::close);
    }
  }
}
