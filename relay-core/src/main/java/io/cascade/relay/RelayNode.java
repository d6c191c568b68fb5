package io.cascade.relay;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.command.Complaint;
import io.cascade.command.Version;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.control.ControlServer;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.probe.ConnectProbe;
import io.cascade.relay.probe.LinkProbes;
import io.cascade.relay.probe.LinkReport;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.registration.Registrant;
import io.cascade.relay.registration.Registration;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.telemetry.RelayMetrics;
import io.cascade.relay.tls.HopTls;
import io.cascade.relay.transport.KernelPipe;
import io.cascade.relay.transport.SocketTuning;
import io.cascade.relay.transport.Transport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

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
  private static final long DRAIN_LOOK_MILLIS = 20;
  private static final int MOST_PORT_ATTEMPTS = 10;

  private final RelaySettings settings;
  private final UUID instance = UUID.randomUUID();
  private final long startedNanos = System.nanoTime();
  private final EventLoopGroup loops;
  private final HopTls tls;
  private final HopServer hops;
  private final ChainTable chains;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Channel hopPort;
  private @Nullable LinkProbes probes;
  private @Nullable RelayMetrics metrics;
  private @Nullable ControlServer control;
  private @Nullable Registration registration;

  private RelayNode(RelaySettings settings) {
    this.settings = settings;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            settings.eventLoops(),
            new DefaultThreadFactory("cascade-loop", true),
            settings.transport().newIoHandlerFactory());
    Sockets sockets = new Sockets(settings.transport(), loops);
    this.tls = new HopTls(settings.name());
    this.hops = new HopServer(sockets, tls, HEADER_TIMEOUT);
    RelaySettings.PortRange ports = settings.ingressPorts();
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
                settings.spoolDir(),
                settings.pump(),
                INSTALL_TIMEOUT,
                settings.hopSecurity() != HopSecurity.PLAIN,
                settings.hopSecurity() != HopSecurity.TLS),
            Clock.systemUTC());
  }

  /**
   * Starts a relay.
   *
   * @throws IOException when a port cannot be had
   */
  public static RelayNode start(RelaySettings settings) throws IOException {
    RelayNode node = new RelayNode(settings);
    try {
      node.open();
      return node;
    } catch (IOException | RuntimeException e) {
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

  /** New at every start. */
  public UUID instance() {
    return instance;
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
      if (registration != null) {
        registration.draining();
      }
      if (hopPort != null) {
        hopPort.close().awaitUninterruptibly();
      }
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
          settings.transport() == Transport.EPOLL
              ? KernelPipe.missing()
              : "the " + settings.transport() + " transport cannot splice (expected: epoll)";
      if (missing != null) {
        LOG.warning("--pump splice: " + missing + "; all streams are copied");
      }
    }
    LinkProbes reflecting = openHopPort();
    probes = reflecting;
    NodeParts parts = new NodeParts(settings, instance, startedNanos, chains, hops, tls);
    RelayMetrics readings =
        new RelayMetrics(settings.name(), settings.site(), instance.toString(), parts, reflecting);
    metrics = readings;
    control =
        ControlServer.start(
            new InetSocketAddress(settings.listen(), settings.controlPort()),
            settings.token(),
            parts,
            new ConnectProbe(System::nanoTime)::probe,
            readings::scrape);
    Future<?> _ =
        loops
            .next()
            .scheduleWithFixedDelay(
                () -> Thread.startVirtualThread(chains::expireLeases),
                LEASE_LOOK_MILLIS,
                LEASE_LOOK_MILLIS,
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
  }

  /**
   * One port number for hops on TCP and probes on UDP; where any will do, one that is free on both.
   */
  private LinkProbes openHopPort() throws IOException {
    for (int attempt = 1; ; attempt++) {
      Channel listening = listenForHops();
      try {
        LinkProbes reflecting =
            LinkProbes.open(
                new InetSocketAddress(settings.listen(), HopServer.addressOf(listening).getPort()),
                System::nanoTime,
                InstantSource.system(),
                new SplittableRandom());
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

  private Channel listenForHops() {
    InetSocketAddress at = new InetSocketAddress(settings.listen(), settings.hopPort());
    ChannelFuture bound = hops.listen(at).awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      throw new Complaint(
          "hop port "
              + settings.hopPort()
              + " cannot be opened ("
              + failure.getMessage()
              + "): choose another with --hop-port, or 0 for a free one");
    }
    return bound.channel();
  }

  private void drainStreams() {
    long deadline = System.nanoTime() + settings.drain().toNanos();
    int left = chains.runningStreams();
    if (left > 0) {
      LOG.info("draining " + left + " streams for at most " + settings.drain().toSeconds() + " s");
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

  private void stopParts() {
    if (registration != null) {
      registration.close();
    }
    if (control != null) {
      control.close();
    }
    if (probes != null) {
      probes.close();
    }
    if (metrics != null) {
      metrics.close();
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
          settings.hopSecurity() == HopSecurity.PLAIN ? null : tls.fingerprint().sha256());
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
    public LinkReport links() {
      return required(probes).drain();
    }

    @Override
    public void peers(List<RelayPeer> peers) {
      required(probes).peers(peers);
    }

    @Override
    public void replaced(String reason) {
      LOG.severe("stopping, for another relay has this name: " + reason);
      Thread.startVirtualThread(RelayNode.this::close);
    }
  }
}
