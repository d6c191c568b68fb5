package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.SetupTimings;
import io.cascade.api.relay.StreamReport;
import io.cascade.command.ListenFailure;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.hop.HopKey;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.hop.SeenCounters;
import io.cascade.relay.ingress.IngressListener;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.Stalls;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.stream.Answer;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.relay.stream.StreamWatch;
import io.cascade.relay.tls.Fingerprint;
import io.cascade.relay.tls.HopTls;
import io.cascade.relay.transport.CongestionControls;
import io.cascade.relay.transport.SocketTuning;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The parts of chains that are installed here. Installing blocks until the part is ready, so it is
 * called on virtual threads; streams arrive on event loops.
 */
public final class ChainTable {
  private static final int MOST_CHAINS = 1_024;

  private final Sockets sockets;
  private final HopServer hops;
  private final HopTls tls;
  private final MemoryBudget memory;
  private volatile Limits limits;
  private final RelayClock clock;
  private final Leases leases;
  private final Map<UUID, InstalledChain> chains = new ConcurrentHashMap<>();
  private final IdentityHashMap<EventExecutor, PerLoop> perLoop = new IdentityHashMap<>();
  private final AtomicInteger runningStreams = new AtomicInteger();
  private final LongAdder shed = new LongAdder();
  private final LongAdder shedForDescriptors = new LongAdder();
  private final Endings endings = new Endings();
  private final DestinationPolicy destinations;

  /** Streams of proxies that go through no chain. */
  private final StreamLog direct = new StreamLog();

  private final RelayStream.StreamObserver directEnds =
      (stream, reason) -> ended(direct, stream, reason);

  private volatile boolean draining;
  private volatile boolean paused;

  /** What the streams of one event loop share. */
  private record PerLoop(MemoryBudget.Ledger ledger, StreamWatch watch) {}

  /**
   * What this relay allows itself.
   *
   * @param listen where ingress ports listen unless a part says otherwise
   * @param advertised the host that clients are told to connect to
   * @param ingressPorts from which free ingress ports are taken; null leaves it to the kernel
   * @param maxStreams streams beyond are reset at once
   * @param streamBytes the most held for a stream of a chain that does not say itself
   * @param spoolFolder for store-and-forward
   * @param pump how streams' bytes are moved
   * @param installTimeout for the next relay to greet back
   * @param tlsAllowed whether parts with encrypted hops are taken
   * @param plainAllowed whether parts with hops that are not are taken
   * @param controls congestion controls that parts may ask for
   */
  public record Limits(
      InetAddress listen,
      String advertised,
      @Nullable PortRange ingressPorts,
      int maxStreams,
      long streamBytes,
      Path spoolFolder,
      PumpMode pump,
      Duration installTimeout,
      boolean tlsAllowed,
      boolean plainAllowed,
      CongestionControls controls) {

    Limits with(int newMaxStreams, long newStreamBytes) {
      return new Limits(
          listen,
          advertised,
          ingressPorts,
          newMaxStreams,
          newStreamBytes,
          spoolFolder,
          pump,
          installTimeout,
          tlsAllowed,
          plainAllowed,
          controls);
    }
  }

  /**
   * Ports, both ends included.
   *
   * @param first 1 to 65535
   * @param last not below first
   */
  public record PortRange(int first, int last) {}

  /**
   * @param destinations where chains may end
   * @param serveAlone how long parts whose lease has run out go on taking streams; 0 not at all
   */
  public ChainTable(
      Sockets sockets,
      HopServer hops,
      HopTls tls,
      MemoryBudget memory,
      Limits limits,
      DestinationPolicy destinations,
      RelayClock clock,
      Duration serveAlone) {
    this.destinations = destinations;
    this.sockets = sockets;
    this.hops = hops;
    this.tls = tls;
    this.memory = memory;
    this.limits = limits;
    this.clock = clock;
    this.leases = new Leases(clock, serveAlone);
    for (EventExecutor loop : sockets.loops()) {
      perLoop.put(loop, new PerLoop(memory.newLedger(), new StreamWatch((EventLoop) loop)));
    }
  }

  /**
   * Installs a part, or renews it when the same is here already.
   *
   * @throws PartRefused when it cannot be; nothing of it is left then, and of a part that is stale
   *     nothing was touched
   */
  public InstalledPart install(UUID id, ChainPart part) throws PartRefused {
    if (draining) {
      throw new PartRefused(PartRefused.Kind.DRAINING, "this relay is shutting down");
    }
    if (paused) {
      throw new PartRefused(
          PartRefused.Kind.DRAINING, "this relay is handing over to another process; try again");
    }
    check(part);
    checkSecurity(part);
    if (chains.size() >= MOST_CHAINS && !chains.containsKey(id)) {
      throw new PartRefused(
          PartRefused.Kind.LIMIT, "this relay holds " + MOST_CHAINS + " chains, the most it may");
    }
    InstalledChain chain =
        chains.computeIfAbsent(
            id, each -> new InstalledChain(each, leases.grant(part.leaseSeconds()), this::ended));
    synchronized (chain) {
      long held = chain.revision();
      if (InstalledChain.revision(part) < held) {
        throw new PartRefused(
            PartRefused.Kind.STALE,
            "revision: "
                + InstalledChain.revision(part)
                + " (expected: at least "
                + held
                + ", which is here already)");
      }
      if (chain.isSame(part)) {
        chain.renew(part, leases.grant(part.leaseSeconds()));
        return installed(chain, true, new SetupTimings(0.0, 0.0, 0.0, 0.0));
      }
      try {
        return wire(chain, part);
      } catch (PartRefused | RuntimeException e) {
        if (chain.wiring() == null) {
          forgetIfIdle(chain);
        }
        throw e;
      }
    }
  }

  public Optional<PartStatus> status(UUID id) {
    return Optional.ofNullable(chains.get(id)).filter(this::worthShowing).map(this::status);
  }

  public List<PartStatus> list() {
    return chains.values().stream().filter(this::worthShowing).map(this::status).toList();
  }

  public Optional<List<StreamReport>> streams(UUID id) {
    return Optional.ofNullable(chains.get(id)).map(chain -> chain.streams().reports());
  }

  /** Takes no more streams; those that run finish unless {@code abort}. Idempotent. */
  public void remove(UUID id, boolean abort) {
    InstalledChain chain = chains.get(id);
    if (chain == null) {
      return;
    }
    synchronized (chain) {
      retire(chain, PartState.REMOVED);
      if (abort) {
        chain.streams().running().forEach(s -> s.abort(new CloseReason.Aborted("chain removed")));
      }
      forgetIfIdle(chain);
    }
  }

  /** Extends a part's lease, also where it has run out; false when the part takes no streams. */
  public boolean renew(UUID id, int leaseSeconds) {
    InstalledChain chain = chains.get(id);
    if (chain == null || !chain.takesStreams()) {
      return false;
    }
    chain.renew(leases.grant(leaseSeconds));
    return true;
  }

  /** The orchestrator has answered this relay: parts without a lease serve on from now. */
  public void contacted() {
    leases.contacted();
  }

  /**
   * Retires the parts that have served alone for as long as they may; their streams finish. Logs
   * when the relay begins to serve alone, and when that is over.
   */
  public void expireLeases() {
    Lease unattended = null;
    int alone = 0;
    int over = 0;
    for (InstalledChain chain : chains.values()) {
      if (!chain.takesStreams()) {
        continue;
      }
      Lease lease = chain.lease();
      switch (leases.of(lease)) {
        case ATTENDED -> {}
        case UNATTENDED -> {
          unattended = lease;
          alone++;
        }
        case OVER -> {
          synchronized (chain) {
            if (leases.of(chain.lease()) == Leases.Standing.OVER) {
              retire(chain, PartState.EXPIRED);
              forgetIfIdle(chain);
              over++;
            }
          }
        }
      }
    }
    leases.report(unattended, alone, over);
  }

  /** Parts that take streams although their lease has run out. */
  public long unattendedChains() {
    return chains.values().stream().filter(this::unattended).count();
  }

  private boolean unattended(InstalledChain chain) {
    return chain.takesStreams() && leases.of(chain.lease()) != Leases.Standing.ATTENDED;
  }

  /**
   * Leaves connections to ingress ports in the kernel's queue and refuses new parts, until {@link
   * #resume()} or {@link #drain()}. Blocks.
   */
  public void pause() {
    paused = true;
    accept(false);
  }

  /** Takes {@link #pause()} back. Blocks. */
  public void resume() {
    accept(true);
    paused = false;
  }

  private void accept(boolean on) {
    for (InstalledChain chain : chains.values()) {
      InstalledChain.Wiring wiring = chain.wiring();
      if (wiring != null && wiring.ingress() != null) {
        wiring.ingress().accept(on);
      }
    }
  }

  /**
   * What a successor needs to go on.
   *
   * @param descriptors the listening sockets of the chains that listen, in the chains' order
   */
  public record Bequests(List<Bequest> chains, List<Integer> descriptors) {}

  /** Everything that takes streams. While paused, so that no counter is used any more. */
  public Bequests bequests() {
    List<Bequest> bequests = new ArrayList<>();
    List<Integer> descriptors = new ArrayList<>();
    for (InstalledChain chain : chains.values()) {
      InstalledChain.Wiring wiring = chain.wiring();
      if (wiring == null || !chain.takesStreams()) {
        continue;
      }
      IngressListener ingress = wiring.ingress();
      HopInlet inlet = wiring.inlet();
      bequests.add(
          new Bequest(
              chain.id(),
              wiring.part(),
              leases.left(chain.lease()),
              leases.sinceContact(chain.lease()),
              ingress != null,
              wiring.outlet() instanceof HopOutlet hop ? hop.successorsCounter() : 0,
              inlet == null ? null : inlet.seen()));
      if (ingress != null) {
        descriptors.add(ingress.descriptor());
      }
    }
    return new Bequests(bequests, descriptors);
  }

  /**
   * Goes on with what another process has left. Accepts connections once {@link #resume()} says so.
   *
   * @param descriptor of the listening socket, where the chain listens
   * @throws PartRefused when this process cannot
   */
  public void inherit(Bequest bequest, @Nullable Integer descriptor) throws PartRefused {
    ChainPart part = bequest.part();
    check(part);
    Lease lease = leases.inherit(bequest.leaseLeft(), bequest.sinceContact());
    InstalledChain chain = new InstalledChain(bequest.chain(), lease, this::ended);
    PartSettings settings =
        PartSettings.of(part, sockets.transport(), limits.pump(), limits.controls());
    Outlet outlet = outlet(chain.id(), part, settings, bequest.hopCounter());
    IngressListener ingress = null;
    if (descriptor != null) {
      try {
        ingress =
            IngressListener.adopt(
                sockets,
                descriptor,
                settings.streams().inlet().tuning(),
                (inlet, start, early) -> arrived(chain, inlet, start, early));
      } catch (IOException e) {
        outlet.close();
        throw new PartRefused(PartRefused.Kind.PORT_TAKEN, String.valueOf(e.getMessage()));
      }
    }
    HopInlet inlet = inlet(chain, part, bequest.seen());
    chain.wire(new InstalledChain.Wiring(part, settings, outlet, ingress, inlet));
    chains.put(chain.id(), chain);
    if (inlet != null) {
      hops.install(chain.id(), inlet);
    }
    if (outlet instanceof HopOutlet hop) {
      // Nobody waits for these: a stream that comes earlier dials for itself.
      CompletableFuture<Void> _ = hop.warmUp(System.nanoTime() + limits.installTimeout().toNanos());
    }
  }

  /** Refuses new parts and streams from now on. */
  public void drain() {
    draining = true;
    for (InstalledChain chain : chains.values()) {
      synchronized (chain) {
        retire(chain, PartState.REMOVED);
        forgetIfIdle(chain);
      }
    }
  }

  /** Resets every stream that still runs. */
  public void abortAll(String why) {
    running().forEach(stream -> stream.abort(new CloseReason.Aborted(why)));
  }

  public boolean isDraining() {
    return draining;
  }

  public int runningStreams() {
    return runningStreams.get();
  }

  /** Those that take streams or have some. */
  public long installedChains() {
    return chains.values().stream().filter(this::worthShowing).count();
  }

  /** Streams that were reset at once because the relay had too many. */
  public long shedStreams() {
    return shed.sum();
  }

  /** The most streams at a time. */
  public int mostStreams() {
    return limits.maxStreams();
  }

  /** The most bytes held for a stream of a chain that does not say itself. */
  public long streamBytes() {
    return limits.streamBytes();
  }

  /** For streams that come from now on; those that run are kept. */
  public void limit(int maxStreams, long streamBytes) {
    limits = limits.with(maxStreams, streamBytes);
  }

  /** Streams that were reset at once because the relay was about to run out of descriptors. */
  public long shedForDescriptors() {
    return shedForDescriptors.sum();
  }

  public MemoryBudget memory() {
    return memory;
  }

  public Endings endings() {
    return endings;
  }

  /** Bytes handed on since the relay started, by streams that ended and by those that run. */
  public long bytes(Direction direction) {
    long sum = endings.bytes(direction);
    for (RelayStream stream : running()) {
      sum += stream.bytesOut(direction);
    }
    return sum;
  }

  /** Of all bytes handed on since the relay started, those that were spliced. */
  public long splicedBytes() {
    long sum = endings.splicedBytes();
    for (RelayStream stream : running()) {
      sum += stream.splicedBytes();
    }
    return sum;
  }

  /**
   * What a chain's streams have done here.
   *
   * @param warmConnections ready to the next relay
   */
  public record ChainSums(UUID chain, int warmConnections, StreamSums streams) {}

  /** Of every chain that is installed, in any order. */
  public List<ChainSums> sums() {
    return chains.values().stream()
        .filter(this::worthShowing)
        .map(chain -> new ChainSums(chain.id(), chain.warmConnections(), chain.streams().sums()))
        .toList();
  }

  /** Onward connections that are ready, of all chains. */
  public long warmConnections() {
    return chains.values().stream().mapToLong(InstalledChain::warmConnections).sum();
  }

  /** For how long directions have waited since the relay started. */
  public Stalls stalls(Direction direction) {
    Stalls sum = endings.stalls(direction);
    for (RelayStream stream : running()) {
      sum = sum.plus(stream.stalls(direction));
    }
    return sum;
  }

  /** Of all chains, and of none. */
  private List<RelayStream> running() {
    List<RelayStream> all = new ArrayList<>(direct.running());
    for (InstalledChain chain : chains.values()) {
      all.addAll(chain.streams().running());
    }
    return all;
  }

  private InstalledPart wire(InstalledChain chain, ChainPart part) throws PartRefused {
    PartSettings settings =
        PartSettings.of(part, sockets.transport(), limits.pump(), limits.controls());
    InstalledChain.Wiring before = chain.wiring();
    long started = System.nanoTime();
    Outlet outlet = outlet(chain.id(), part, settings, 0);
    if (outlet instanceof EgressOutlet egress) {
      checkDestination(egress);
    }
    long resolved = System.nanoTime();
    IngressListener ingress = null;
    try {
      ingress = ingress(chain, part, settings.streams().inlet().tuning(), before);
      HopInlet inlet = inlet(chain, part, null);
      long listening = System.nanoTime();
      chain.renew(leases.grant(part.leaseSeconds()));
      chain.wire(new InstalledChain.Wiring(part, settings, outlet, ingress, inlet));
      if (inlet != null) {
        // Before the onward connections are ready: the relay before us is waiting for this.
        hops.install(chain.id(), inlet);
      } else {
        hops.remove(chain.id());
      }
      if (outlet instanceof HopOutlet hop) {
        warmUp(hop);
      }
      long warm = System.nanoTime();
      release(before, ingress);
      return installed(
          chain,
          false,
          new SetupTimings(
              millis(started, resolved),
              millis(resolved, listening),
              millis(listening, warm),
              millis(started, warm)));
    } catch (PartRefused | RuntimeException e) {
      outlet.close();
      if (ingress != null) {
        ingress.close();
      }
      hops.remove(chain.id());
      release(before, ingress);
      chain.retire(PartState.REMOVED);
      throw e;
    }
  }

  /** Not asked of an inherited part: its streams end with the same refusal. */
  private static void checkDestination(EgressOutlet egress) throws PartRefused {
    AddressRefusal obstacle = egress.obstacle();
    if (obstacle != null) {
      throw new PartRefused(PartRefused.Kind.DESTINATION_NOT_ALLOWED, obstacle.text());
    }
  }

  private void warmUp(HopOutlet outlet) throws PartRefused {
    long deadline = System.nanoTime() + limits.installTimeout().toNanos();
    CompletableFuture<Void> ready = outlet.warmUp(deadline);
    try {
      ready.get(2 * limits.installTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new PartRefused(
          PartRefused.Kind.NEXT_RELAY_UNREACHABLE,
          "the next relay does not take the chain: " + reason(e));
    } catch (TimeoutException e) {
      throw new PartRefused(
          PartRefused.Kind.NEXT_RELAY_UNREACHABLE,
          "the next relay did not answer in time: " + outlet.target());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PartRefused(PartRefused.Kind.DRAINING, "this relay is shutting down");
    }
  }

  private Outlet outlet(UUID id, ChainPart part, PartSettings settings, long usedCounter)
      throws PartRefused {
    var next = part.hopOutlet();
    var egress = part.egress();
    String host = next != null ? next.host() : egress == null ? "" : egress.host();
    try {
      if (next != null) {
        return new HopOutlet(
            id,
            part.hopIndex() + 1,
            new InetSocketAddress(InetAddress.getByName(next.host()), next.port()),
            key(next.key()),
            next.certificateSha256() == null
                ? null
                : new HopOutlet.Security(tls, fingerprint(next.certificateSha256())),
            sockets,
            settings.streams(),
            settings.warmConnections(),
            usedCounter);
      }
      if (egress == null) {
        throw new PartRefused(PartRefused.Kind.INVALID, "neither hopOutlet nor egress");
      }
      boolean proxyProtocol = Boolean.TRUE.equals(egress.proxyProtocol());
      AddressRule rule = destinations.chain(host, Boolean.TRUE.equals(egress.guarded()));
      return EgressOutlet.to(host, egress.port(), proxyProtocol, rule, sockets);
    } catch (UnknownHostException e) {
      throw new PartRefused(
          PartRefused.Kind.UNRESOLVABLE, "'" + host + "' has no address as seen from this relay");
    }
  }

  private @Nullable IngressListener ingress(
      InstalledChain chain,
      ChainPart part,
      SocketTuning tuning,
      InstalledChain.@Nullable Wiring before)
      throws PartRefused {
    Ingress wanted = part.ingress();
    if (wanted == null || Boolean.TRUE.equals(wanted.proxied())) {
      return null;
    }
    IngressListener open = before == null ? null : before.ingress();
    if (before != null && open != null) {
      boolean same = wanted.equals(before.part().ingress());
      if (same || (wanted.address() == null && wanted.port() == open.address().getPort())) {
        return open;
      }
    }
    PortRange range = limits.ingressPorts();
    if (wanted.port() != 0 || range == null) {
      return listen(chain, wanted, wanted.port(), tuning);
    }
    for (int port = range.first(); port < range.last(); port++) {
      try {
        return listen(chain, wanted, port, tuning);
      } catch (PartRefused taken) {
        // the next one may be free
      }
    }
    return listen(chain, wanted, range.last(), tuning);
  }

  private IngressListener listen(
      InstalledChain chain, Ingress wanted, int port, SocketTuning tuning) throws PartRefused {
    try {
      InetAddress address =
          wanted.address() == null ? limits.listen() : InetAddress.getByName(wanted.address());
      return IngressListener.open(
          sockets,
          new InetSocketAddress(address, port),
          tuning,
          (inlet, start, early) -> arrived(chain, inlet, start, early));
    } catch (UnknownHostException e) {
      throw new PartRefused(
          PartRefused.Kind.INVALID, "ingress address: " + wanted.address() + " is no address");
    } catch (IOException e) {
      throw new PartRefused(
          PartRefused.Kind.PORT_TAKEN,
          "ingress port " + port + " cannot be opened: " + ListenFailure.words(e));
    }
  }

  private @Nullable HopInlet inlet(
      InstalledChain chain, ChainPart part, @Nullable SeenCounters seen) throws PartRefused {
    var wanted = part.hopInlet();
    return wanted == null
        ? null
        : new HopInlet(
            key(wanted.key()),
            wanted.certificateSha256() == null ? null : fingerprint(wanted.certificateSha256()),
            part.hopIndex(),
            (inlet, start, early) -> arrived(chain, inlet, start, early),
            seen);
  }

  /**
   * A stream that a proxy's client has asked for and that goes through no chain. On the inlet's
   * event loop.
   *
   * @param early handed over
   * @param also who else is told of the stream; null where nobody is
   */
  public void direct(
      Channel inlet,
      StreamStart start,
      ByteBuf early,
      Outlet outlet,
      Answer answer,
      RelayStream.@Nullable StreamObserver also) {
    if (draining) {
      refuse(inlet, early, answer, "this relay is shutting down");
      return;
    }
    Way way =
        new Way(
            direct,
            outlet,
            PartSettings.usual(limits.pump(), limits.streamBytes(), limits.controls()),
            Integer.MAX_VALUE,
            directEnds);
    begin(way.toldTo(also), inlet, start, early, answer);
  }

  /**
   * A stream that a proxy's client has asked for, for the chain to its destination. On the inlet's
   * event loop.
   *
   * @param early handed over, unless the answer is false
   * @param also who else is told of the stream; null where nobody is
   * @return whether the chain takes it
   */
  public boolean through(
      UUID id,
      Channel inlet,
      StreamStart start,
      ByteBuf early,
      Answer answer,
      RelayStream.@Nullable StreamObserver also) {
    InstalledChain chain = chains.get(id);
    InstalledChain.Wiring wiring = chain == null ? null : chain.wiring();
    if (chain == null || wiring == null || draining || paused) {
      return false;
    }
    Ingress ingress = wiring.part().ingress();
    if (ingress == null || !Boolean.TRUE.equals(ingress.proxied())) {
      return false;
    }
    begin(way(chain, wiring).toldTo(also), inlet, start, early, answer);
    return true;
  }

  /** A stream begins. On the inlet's event loop. */
  private void arrived(InstalledChain chain, Channel inlet, StreamStart start, ByteBuf early) {
    InstalledChain.Wiring wiring = chain.wiring();
    if (wiring == null || draining) {
      refuse(inlet, early, Answer.NONE, "the chain is gone");
      return;
    }
    boolean ends = wiring.outlet() instanceof EgressOutlet;
    begin(
        way(chain, wiring),
        inlet,
        start,
        early,
        start.awaited() && ends ? HopInlet.verdict() : Answer.NONE);
  }

  /**
   * How a stream goes on, and who is told of its end.
   *
   * @param mostStreams that may go this way at a time
   */
  private record Way(
      StreamLog log,
      Outlet outlet,
      StreamSettings settings,
      int mostStreams,
      RelayStream.StreamObserver observer) {

    Way toldTo(RelayStream.@Nullable StreamObserver also) {
      return also == null
          ? this
          : new Way(log, outlet, settings, mostStreams, new BothObservers(observer, also));
    }
  }

  /** The table's own first. */
  private record BothObservers(RelayStream.StreamObserver first, RelayStream.StreamObserver second)
      implements RelayStream.StreamObserver {
    @Override
    public void began(RelayStream stream) {
      first.began(stream);
      second.began(stream);
    }

    @Override
    public void ended(RelayStream stream, CloseReason reason) {
      first.ended(stream, reason);
      second.ended(stream, reason);
    }
  }

  private Way way(InstalledChain chain, InstalledChain.Wiring wiring) {
    return new Way(
        chain.streams(),
        wiring.outlet(),
        wiring.settings().streams(limits.streamBytes()),
        wiring.settings().mostStreams(),
        chain);
  }

  private void begin(Way way, Channel inlet, StreamStart start, ByteBuf early, Answer answer) {
    PerLoop here = perLoop.get(inlet.eventLoop());
    if (here == null) {
      refuse(inlet, early, answer, "a connection of another relay");
      return;
    }
    if (!sockets.tune(inlet, way.settings().inlet().tuning())) {
      refuse(inlet, early, answer, "the connection is closed already");
      return;
    }
    if (sockets.descriptors().scarce()) {
      shedForDescriptors.increment();
      refuse(inlet, early, answer, "this relay is about to run out of descriptors");
      return;
    }
    if (runningStreams.incrementAndGet() > limits.maxStreams()) {
      runningStreams.decrementAndGet();
      shed.increment();
      refuse(inlet, early, answer, "this relay has as many streams as it may");
      return;
    }
    if (!way.log().admit(way.mostStreams())) {
      runningStreams.decrementAndGet();
      shed.increment();
      refuse(inlet, early, answer, "this chain has as many streams as it may");
      return;
    }
    RelayStream stream =
        new RelayStream(
            start,
            inlet,
            way.outlet(),
            way.settings(),
            here.ledger(),
            here.watch(),
            limits.spoolFolder(),
            way.observer(),
            clock.wall().millis());
    way.log().opened(stream);
    way.observer().began(stream);
    stream.begin(early, answer);
  }

  private static void refuse(Channel inlet, ByteBuf early, Answer answer, String why) {
    early.release();
    answer.failed(inlet, new CloseReason.Shed(why));
  }

  private void ended(InstalledChain chain, RelayStream stream, CloseReason reason) {
    ended(chain.streams(), stream, reason);
    if (!chain.takesStreams()) {
      forgetIfIdle(chain);
    }
  }

  private void ended(StreamLog log, RelayStream stream, CloseReason reason) {
    runningStreams.decrementAndGet();
    log.ended(stream, reason);
    endings.add(stream, reason);
  }

  private void retire(InstalledChain chain, PartState state) {
    InstalledChain.Wiring wiring = chain.wiring();
    if (wiring == null) {
      return;
    }
    chain.retire(state);
    hops.remove(chain.id());
    release(wiring, null);
  }

  /** Lets go of what new streams used before; {@code kept} is used on. */
  private static void release(
      InstalledChain.@Nullable Wiring before, @Nullable IngressListener kept) {
    if (before == null) {
      return;
    }
    before.outlet().close();
    if (before.ingress() != null && before.ingress() != kept) {
      before.ingress().close();
    }
  }

  private void forgetIfIdle(InstalledChain chain) {
    if (!chain.takesStreams() && chain.streams().running().isEmpty()) {
      chains.remove(chain.id(), chain);
    }
  }

  private boolean worthShowing(InstalledChain chain) {
    return chain.wiring() != null || !chain.streams().running().isEmpty();
  }

  private PartStatus status(InstalledChain chain) {
    InstalledChain.Wiring wiring = chain.wiring();
    InetSocketAddress ingress = chain.ingress();
    boolean unattended = unattended(chain);
    return new PartStatus(
        chain.id(),
        unattended ? PartState.UNATTENDED : chain.state(),
        wiring == null ? 0 : wiring.part().hopIndex(),
        leases.endsAt(chain.lease()),
        ingress == null ? null : limits.advertised(),
        ingress == null ? null : ingress.getPort(),
        chain.warmConnections(),
        chain.streams().sums().document(),
        unattended ? leases.aloneLeft(chain.lease()).toMillis() / 1e3 : null);
  }

  private InstalledPart installed(InstalledChain chain, boolean renewed, SetupTimings timings) {
    InetSocketAddress ingress = chain.ingress();
    return new InstalledPart(
        chain.id(),
        leases.endsAt(chain.lease()),
        renewed,
        ingress == null ? null : limits.advertised(),
        ingress == null ? null : ingress.getPort(),
        chain.warmConnections(),
        timings);
  }

  private static void check(ChainPart part) throws PartRefused {
    if ((part.ingress() == null) == (part.hopInlet() == null)) {
      throw new PartRefused(PartRefused.Kind.INVALID, "give one of ingress and hopInlet");
    }
    if ((part.hopOutlet() == null) == (part.egress() == null)) {
      throw new PartRefused(PartRefused.Kind.INVALID, "give one of hopOutlet and egress");
    }
    if ((part.hopIndex() == 0) != (part.ingress() != null)) {
      throw new PartRefused(
          PartRefused.Kind.INVALID, "hopIndex: 0 goes with ingress, 1 and up with hopInlet");
    }
  }

  private void checkSecurity(ChainPart part) throws PartRefused {
    boolean anyTls = false;
    boolean anyPlain = false;
    var inlet = part.hopInlet();
    if (inlet != null) {
      anyTls |= inlet.certificateSha256() != null;
      anyPlain |= inlet.certificateSha256() == null;
    }
    var outlet = part.hopOutlet();
    if (outlet != null) {
      anyTls |= outlet.certificateSha256() != null;
      anyPlain |= outlet.certificateSha256() == null;
    }
    if (anyTls && !limits.tlsAllowed()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "this relay has no TLS; start it without --hop-security plain");
    }
    if (anyPlain && !limits.plainAllowed()) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          "this relay takes encrypted hops only; open the chain with security TLS, or start the"
              + " relay with --hop-security optional");
    }
    if (anyTls) {
      // Makes the identity, should nobody have asked for it yet: here and not on an event loop.
      Fingerprint ignored = tls.fingerprint();
    }
  }

  private static Fingerprint fingerprint(String sha256) throws PartRefused {
    try {
      return new Fingerprint(sha256);
    } catch (IllegalArgumentException e) {
      throw new PartRefused(PartRefused.Kind.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private static HopKey key(String base64) throws PartRefused {
    try {
      return HopKey.parse(base64);
    } catch (IllegalArgumentException e) {
      throw new PartRefused(PartRefused.Kind.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return String.valueOf(cause.getMessage());
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }
}
