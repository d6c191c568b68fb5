package io.cascade.relay.chain;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.Ingress;
import io.cascade.carriage.socket.Sockets;
import io.cascade.relay.admission.ClientSource;
import io.cascade.relay.admission.RefusalLog;
import io.cascade.relay.hop.HopReceiver;
import io.cascade.relay.junction.JunctionInlet;
import io.cascade.relay.junction.JunctionResources;
import io.cascade.relay.junction.JunctionSettings;
import io.cascade.relay.junction.PipeAccounts;
import io.cascade.relay.junction.SegmentCounters;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.ConnectionSettings;
import io.cascade.relay.stream.InletAnswer;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.RelayStream;
import io.cascade.relay.stream.StreamSettings;
import io.cascade.relay.stream.StreamStart;
import io.cascade.relay.stream.StreamWatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.UUID;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Admits streams within the relay's limits and starts them; resets excess streams at once. Streams
 * arrive on event loops.
 *
 * <p>A chain, and a source of clients (an IPv4 address or an IPv6 network of 64 bits), may have at
 * most {@value #FREE_SHARE} times as many streams as are still free. So one alone may use four
 * fifths of the relay's limit, and none can use up the whole limit.
 */
public final class StreamAdmission {
  private static final HopAddress FROM_SOURCE = new HopAddress(0, 0, 0);
  private static final long FREE_SHARE = 4;

  private final ChainRegistry registry;
  private final Sockets sockets;
  private final MemoryBudget memory;
  private final ChainSettings settings;
  private final RelayClock clock;
  private final IdentityHashMap<EventExecutor, PerLoop> perLoop = new IdentityHashMap<>();
  private final StreamLog direct = new StreamLog();
  private final SourceStreams sources = new SourceStreams();
  private final StreamCounters counters;
  private final RefusalLog refusedSources =
      RefusalLog.of(Logger.getLogger(StreamAdmission.class.getName()));
  private final SegmentCounters segments = new SegmentCounters();
  private final JunctionResources junctions;
  private volatile StreamLimits limits;

  private final RelayStream.StreamObserver directEnds =
      (stream, reason) -> ended(direct, stream, reason);

  /** State that the streams of one event loop share. */
  private record PerLoop(MemoryBudget.Ledger ledger, StreamWatch watch) {}

  StreamAdmission(
      ChainRegistry registry,
      Sockets sockets,
      MemoryBudget memory,
      ChainSettings settings,
      StreamLimits limits,
      RelayClock clock) {
    this.registry = registry;
    this.sockets = sockets;
    this.memory = memory;
    this.settings = settings;
    this.limits = limits;
    this.clock = clock;
    this.counters = new StreamCounters(registry, direct);
    this.junctions = new JunctionResources(this::ledger, System::nanoTime, segments);
    for (EventExecutor loop : sockets.loops()) {
      perLoop.put(loop, new PerLoop(memory.newLedger(), new StreamWatch((EventLoop) loop)));
    }
  }

  StreamCounters counters() {
    return counters;
  }

  /** Refused pipes and reset streams of segments. */
  public SegmentCounters segments() {
    return segments;
  }

  JunctionResources junctionResources() {
    return junctions;
  }

  /** The memory that all streams share. */
  public MemoryBudget memory() {
    return memory;
  }

  /** The limits for new streams. */
  public StreamLimits limits() {
    return limits;
  }

  /** Changes the limits for new streams; running streams are kept. */
  public void limit(StreamLimits newLimits) {
    limits = newLimits;
  }

  /**
   * Starts a stream that a proxy's client has requested and that passes through no chain. Called on
   * the inlet's event loop.
   *
   * @param early handed over
   * @param also another observer of the stream; null for none
   */
  public void direct(
      Channel inlet,
      StreamStart start,
      ByteBuf early,
      Outlet outlet,
      InletAnswer answer,
      RelayStream.@Nullable StreamObserver also) {
    direct(inlet, start, early, outlet, answer, Duration.ZERO, also);
  }

  /**
   * Starts a stream that passes through no chain and ends when no byte moves for too long. Called
   * on the inlet's event loop.
   *
   * @param early handed over
   * @param idle the longest time without a byte; zero for no limit
   * @param also another observer of the stream; null for none
   */
  public void direct(
      Channel inlet,
      StreamStart start,
      ByteBuf early,
      Outlet outlet,
      InletAnswer answer,
      Duration idle,
      RelayStream.@Nullable StreamObserver also) {
    if (registry.serving() == ChainRegistry.Serving.DRAINING) {
      refuse(inlet, early, answer, "this relay is shutting down");
      return;
    }
    StreamSettings usual =
        PartSettings.usual(settings.pump(), limits.streamBytes(), settings.controls())
            .idleFor(idle);
    Destined to = new Destined(direct, outlet, usual, Integer.MAX_VALUE, null, directEnds);
    begin(to.observedBy(also), inlet, start, early, answer);
  }

  /**
   * Starts a stream that a proxy's client has requested, through the chain to its destination.
   * Called on the inlet's event loop.
   *
   * @param early handed over, unless the result is false
   * @param also another observer of the stream; null for none
   * @return whether the chain accepts it
   */
  public boolean through(
      UUID id,
      Channel inlet,
      StreamStart start,
      ByteBuf early,
      InletAnswer answer,
      RelayStream.@Nullable StreamObserver also) {
    InstalledChain chain = registry.get(id);
    InstalledChain.Wiring wiring = chain == null ? null : chain.wiring();
    if (chain == null || wiring == null || registry.serving() != ChainRegistry.Serving.OPEN) {
      return false;
    }
    WiredPassage passage = wiring.passageOf(FROM_SOURCE);
    Ingress ingress = passage == null ? null : passage.shape().ingress();
    if (passage == null || ingress == null || !Boolean.TRUE.equals(ingress.proxied())) {
      return false;
    }
    begin(destined(chain, passage, start).observedBy(also), inlet, start, early, answer);
    return true;
  }

  /**
   * Starts a stream that arrived at a chain's ingress port or over a hop. Called on the inlet's
   * event loop.
   *
   * @param hop over which it arrived
   */
  void arrived(
      InstalledChain chain, HopAddress hop, Channel inlet, StreamStart start, ByteBuf early) {
    WiredPassage passage = passage(chain, hop);
    if (passage == null) {
      refuse(inlet, early, InletAnswer.NONE, "the chain was removed");
      return;
    }
    if (passage.shape().ingress() != null
        && !passage.settings().takesFrom(start.client().getAddress())) {
      counters.refusedSource();
      refusedSources.refused(
          "chain %s: %s is not in its allowSources"
              .formatted(chain.id(), start.client().getAddress().getHostAddress()));
      refuse(inlet, early, InletAnswer.NONE, "this client's address is not allowed");
      return;
    }
    boolean tells = start.awaited() && passage.isLast();
    InletAnswer answer = tells ? HopReceiver.connectStatus() : InletAnswer.NONE;
    begin(destined(chain, passage, start), inlet, start, early, answer);
  }

  /**
   * Accepts a pipe of a stream that is reassembled here; if no more streams are accepted, only one
   * of a running stream. Called on the pipe's event loop.
   *
   * @param hop over which it arrived
   * @param settings of the pipe's connection
   */
  void pipeArrived(
      InstalledChain chain,
      HopAddress hop,
      ConnectionSettings settings,
      Channel pipe,
      StreamStart start,
      ByteBuf early) {
    boolean mayBegin = passage(chain, hop) != null;
    WiredPassage passage = chain.lastPassageOf(hop);
    if (passage == null
        || !sockets.tune(pipe, settings.tuning())
        || sockets.descriptors().scarce()) {
      early.release();
      pipe.close();
      return;
    }
    chain
        .junction()
        .arrived(
            pipe,
            hop,
            start,
            early,
            settings.respondsToLoss(),
            junctionSettings(passage.settings()),
            mayBegin,
            (inlet, begun) -> arrived(chain, hop, inlet, begun, Unpooled.EMPTY_BUFFER));
  }

  private @Nullable WiredPassage passage(InstalledChain chain, HopAddress hop) {
    InstalledChain.Wiring wiring = chain.wiring();
    boolean drains = registry.serving() == ChainRegistry.Serving.DRAINING;
    return wiring == null || drains ? null : wiring.passageOf(hop);
  }

  /** Makes the inlet that reassembles a chain's streams. */
  JunctionInlet newJunction(PipeAccounts accounts) {
    return new JunctionInlet(junctions, accounts);
  }

  /** Returns the settings by which pipes carry a part's streams. */
  JunctionSettings junctionSettings(PartSettings part) {
    return JunctionSettings.holding(
        part.streams(limits.streamBytes()).bufferBytes(), part.patience(), part.scheduler());
  }

  /** Returns the ledger of an event loop of this relay. */
  MemoryBudget.Ledger ledger(EventLoop loop) {
    PerLoop here = perLoop.get(loop);
    if (here == null) {
      throw new IllegalStateException("an event loop of another relay");
    }
    return here.ledger();
  }

  /**
   * The onward side of a stream, with the log and the observer of its end.
   *
   * @param mostStreams concurrent streams that may use it
   * @param source of the client, if this is the stream's first relay; null otherwise
   */
  private record Destined(
      StreamLog log,
      Outlet outlet,
      StreamSettings settings,
      int mostStreams,
      @Nullable Object source,
      RelayStream.StreamObserver observer) {

    Destined observedBy(RelayStream.@Nullable StreamObserver also) {
      return also == null
          ? this
          : new Destined(
              log, outlet, settings, mostStreams, source, new BothObservers(observer, also));
    }
  }

  /** Notifies the relay's own observer first. */
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

  private Destined destined(InstalledChain chain, WiredPassage passage, StreamStart start) {
    StreamSettings usual = passage.settings().streams(limits.streamBytes());
    ChainStreams.PassageLog streams = chain.streams().of(passage.shape());
    return new Destined(
        streams.log(),
        passage.outlet(),
        passage.shape().isJunction()
            ? usual.holding(JunctionSettings.pumpBytes(usual.bufferBytes()))
            : usual,
        passage.settings().mostStreams(),
        passage.shape().ingress() == null ? null : ClientSource.of(start.client().getAddress()),
        streams.observer());
  }

  private void begin(
      Destined to, Channel inlet, StreamStart start, ByteBuf early, InletAnswer answer) {
    PerLoop here = perLoop.get(inlet.eventLoop());
    if (here == null) {
      refuse(inlet, early, answer, "a connection of another relay");
      return;
    }
    if (!sockets.tune(inlet, to.settings().inlet().tuning())) {
      refuse(inlet, early, answer, "the connection is closed already");
      return;
    }
    if (sockets.descriptors().scarce()) {
      counters.shedForDescriptors();
      refuse(inlet, early, answer, "this relay is almost out of file descriptors");
      return;
    }
    if (!counters.begin(limits.mostStreams())) {
      counters.shed();
      refuse(inlet, early, answer, "this relay has reached its limit of streams");
      return;
    }
    String excess = excess(to);
    if (excess != null) {
      counters.cancel();
      counters.shed();
      refuse(inlet, early, answer, excess);
      return;
    }
    Object source = to.source();
    Destined wanted = source == null ? to : to.observedBy((_, _) -> sources.leave(source));
    start(wanted, here, inlet, start, early, answer);
  }

  /** Takes the places of one more stream; null on success, or else which limit it exceeds. */
  private @Nullable String excess(Destined to) {
    if (to.log() == direct) {
      boolean _ = direct.admit(Integer.MAX_VALUE);
      return null;
    }
    long free = Math.max(1, 1L + limits.mostStreams() - counters.runningStreams());
    int share = (int) Math.min(Integer.MAX_VALUE, FREE_SHARE * free);
    if (!to.log().admit(Math.min(to.mostStreams(), share))) {
      return "this chain has reached its limit of streams";
    }
    Object source = to.source();
    if (source != null && !sources.enter(source, share)) {
      to.log().cancel();
      return "this client's address has reached its limit of streams";
    }
    return null;
  }

  private void start(
      Destined to,
      PerLoop here,
      Channel inlet,
      StreamStart start,
      ByteBuf early,
      InletAnswer answer) {
    RelayStream stream =
        new RelayStream(
            start,
            inlet,
            to.outlet(),
            to.settings(),
            here.ledger(),
            here.watch(),
            settings.spoolFolder(),
            to.observer(),
            clock.wall().millis());
    to.log().opened(stream);
    to.observer().began(stream);
    stream.begin(early, answer);
  }

  private static void refuse(Channel inlet, ByteBuf early, InletAnswer answer, String why) {
    early.release();
    answer.failed(inlet, new CloseReason.Shed(why));
  }

  /** Counts the end of a chain's stream, after which the chain may be forgotten. */
  void ended(InstalledChain chain, StreamLog log, RelayStream stream, CloseReason reason) {
    ended(log, stream, reason);
    if (!chain.takesStreams()) {
      registry.forgetIfIdle(chain);
    }
  }

  private void ended(StreamLog log, RelayStream stream, CloseReason reason) {
    log.ended(stream, reason);
    counters.end(stream, reason);
  }
}
