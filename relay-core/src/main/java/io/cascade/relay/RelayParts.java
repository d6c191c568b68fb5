package io.cascade.relay;

import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.transport.KernelPipe;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.cascade.relay.chain.ChainSettings;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.chain.RelayClock;
import io.cascade.relay.chain.StreamCounters;
import io.cascade.relay.chain.StreamLimits;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.destination.OwnPorts;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.names.NameLookups;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.thread.LoopPulses;
import io.cascade.relay.throughput.StreamActivity;
import io.cascade.relay.throughput.ThroughputTests;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.function.IntPredicate;
import java.util.logging.Logger;

/**
 * The parts of a relay's data plane, which exist as long as the relay.
 *
 * @param ownPorts ports on which this relay listens, to which it never connects
 * @param names resolves the names of destinations
 * @param destinations decides where streams and probes may be sent
 * @param identity the relay's identity towards the orchestrator
 * @param uses destinations to which streams of proxies' clients went directly
 * @param pulses of the event loops
 */
record RelayParts(
    RelaySettings settings,
    EventLoopGroup loops,
    HopTls tls,
    Sockets sockets,
    HopServer hops,
    HopPort hopPort,
    OwnPorts ownPorts,
    NameLookups names,
    DestinationPolicy destinations,
    ChainTable chains,
    LiveLimits limits,
    StreamActivity activity,
    ThroughputTests tests,
    NodeIdentity identity,
    DestinationUses uses,
    LoopPulses pulses) {
  private static final Logger LOG = Logger.getLogger(RelayParts.class.getName());

  /**
   * Divisor: all coded sessions' streams together may hold this part of the heap, besides their
   * windows.
   */
  private static final int HEAP_SHARE = 4;

  private static final Duration HEADER_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Makes the parts without opening a port.
   *
   * @param installTimeout time within which a part's next relay must answer a greeting
   * @param names resolves the names of destinations
   * @param controls whether a port number is that of the control port
   */
  static RelayParts create(
      RelaySettings settings,
      HopTls tls,
      Duration installTimeout,
      RelayClock clock,
      NameLookups.Resolver names,
      IntPredicate controls) {
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            settings.eventLoops(),
            new DefaultThreadFactory("cascade-loop", true),
            settings.transport().newIoHandlerFactory());
    Sockets sockets = new Sockets(settings.transport(), loops);
    MemoryBudget memory = new MemoryBudget(settings.memoryBudgetBytes());
    StreamMemory ofStreams =
        new StreamMemory(
            Runtime.getRuntime().maxMemory() / HEAP_SHARE,
            () -> memory.totalBytes() - memory.heldBytes());
    memory.holdAlso(ofStreams::heldBytes);
    HopServer hops =
        new HopServer(
            sockets, tls, HEADER_TIMEOUT, CodedSettings.of(CodedStreamLimits.usual(ofStreams)));
    OwnPorts ownPorts =
        new OwnPorts(settings.advertise(), port -> sockets.listensOn(port) || controls.test(port));
    DestinationPolicy destinations =
        new DestinationPolicy(
            settings.proxies().rules(), settings.listen().isLoopbackAddress(), ownPorts);
    ChainTable chains =
        new ChainTable(
            sockets,
            hops,
            tls,
            memory,
            new ChainSettings(
                settings.listen(),
                settings.token() != null,
                settings.advertise(),
                settings.ingressPorts(),
                settings.balancers(),
                settings.spoolDir(),
                settings.pump(),
                installTimeout,
                settings.hopSecurity() != HopSecurity.PLAIN,
                settings.hopSecurity() != HopSecurity.TLS,
                settings.serveAlone(),
                settings.controls()),
            new StreamLimits(settings.maxStreams(), StreamSettings.DEFAULT_BUFFER_BYTES),
            destinations,
            clock);
    LiveLimits limits =
        new LiveLimits(
            chains.admission(), DirectMemory.of(settings), settings.drain(), chains::isPaused);
    StreamCounters counters = chains.counters();
    StreamActivity activity =
        new StreamActivity(
            () -> counters.bytes(Direction.FORWARD) + counters.bytes(Direction.BACKWARD),
            System::nanoTime);
    ThroughputTests tests =
        new ThroughputTests(
            sockets,
            destinations.hop(),
            activity,
            settings.testBudgetBytes(),
            chains::isDraining,
            System::nanoTime,
            settings.controls());
    hops.receiveTests(tests);
    return new RelayParts(
        settings,
        loops,
        tls,
        sockets,
        hops,
        new HopPort(settings, sockets, hops, destinations.hop(), tests.trains()),
        ownPorts,
        new NameLookups(names),
        destinations,
        chains,
        limits,
        activity,
        tests,
        new NodeIdentity(settings),
        new DestinationUses(),
        LoopPulses.of(loops, clock.nanos()));
  }

  /** Logs a warning if all streams are to be spliced and none can be. */
  void warnOfMissingSplice() {
    if (settings.pump() != PumpMode.SPLICE) {
      return;
    }
    String missing =
        settings.transport().isNative()
            ? KernelPipe.missing()
            : "the " + settings.transport() + " transport cannot splice (expected: epoll)";
    if (missing != null) {
      LOG.warning("--pump splice: " + missing + "; all streams are copied");
    }
  }
}
