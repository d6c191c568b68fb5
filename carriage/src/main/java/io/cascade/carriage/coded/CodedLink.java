package io.cascade.carriage.coded;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.DatagramCarrier;
import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.control.RateController;
import io.cascade.coding.control.RetainedPath;
import io.cascade.coding.crypto.Agreement;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CloseReason;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.PathMtu;
import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SessionAccount;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.session.SessionState;
import io.cascade.coding.stream.CodedStream;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.Streams;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A session between two relays and the connections that are its streams, on one event loop. Probes
 * a silent peer. Abandons the session if the peer's system reports that the port is closed and
 * nothing else arrives meanwhile, or if nothing arrives for long.
 */
final class CodedLink implements SessionDriver.Application {
  /**
   * 5.9 MB in flight or waiting for order: 100 Mbit/s over 200 ms, and as much again for symbols
   * that wait for earlier ones.
   */
  static final int WINDOW_SYMBOLS = 4_096;

  private static final Logger LOG = Logger.getLogger(CodedLink.class.getName());
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final long LOOK_NANOS = 1_000_000_000;
  private static final long NEVER_DOUBTED = Long.MIN_VALUE;
  private static final long GLANCE_NANOS = 200_000_000;

  /** Time for which an accepting end waits for a dialler that may return over TCP. */
  private static final long PATIENT_DOUBT_NANOS = 3_000_000_000L;

  /** Time for an answer of a peer whose system reported a closed port; at least 3 round trips. */
  private static final long DOUBT_NANOS = 200_000_000;

  private final EventLoop loop;
  private final CodedSession session;
  private final Streams streams;
  private final SessionDriver driver;
  private final InetSocketAddress local;
  private final SessionCarriers carriers;
  private final CarrierArrivals arrivals;
  private volatile InetSocketAddress remote;
  private final Supplier<ChannelHandler> handlers;
  private final Listener listener;
  private final long begunNanos;
  private final int datagramBits;
  private final boolean began;
  private final PathMemory paths;
  private RateController controller;
  private volatile CodedCount count = new CodedCount(0, 0, "START", 0, 0, 0, 0, 0, false, null);
  private final PassedRate passed = new PassedRate();
  private @Nullable Future<?> looking;
  private volatile boolean hasHeard;
  private boolean isLeaving;
  private boolean isDoubting;
  private long doubtedNanos = NEVER_DOUBTED;
  private long lookedNanos;

  /** Owner of the session. Called on the event loop. */
  interface Listener {
    /** The peer has sent a datagram under the session's keys. */
    default void heard(CodedLink link) {}

    /**
     * A datagram of the handshake has arrived from the peer, which may not have received the
     * answer.
     */
    default void handshake(CodedLink link, ByteBuffer datagram) {}

    void closed(CodedLink link, String why);
  }

  /**
   * @param socket connected to the peer
   * @param began whether this end began the session
   * @param paths memory of the path to the peer
   * @param handlers makes the first handler of each connection that the peer opens
   * @param carriers chooses the carrier of the datagrams
   */
  CodedLink(
      EventLoop loop,
      UdpSocket socket,
      InetSocketAddress remote,
      Agreement agreement,
      boolean began,
      CodedStreamLimits limits,
      PathMemory paths,
      Supplier<ChannelHandler> handlers,
      Function<CodedLink, SessionCarriers> carriers,
      Listener listener) {
    this.loop = loop;
    this.local = socket.localAddress();
    this.remote = remote;
    this.handlers = handlers;
    this.listener = listener;
    this.began = began;
    this.streams = new Streams(began, limits, (long) WINDOW_SYMBOLS * agreement.contentBytes());
    this.begunNanos = System.nanoTime();
    this.datagramBits = Byte.SIZE * agreement.datagramBytes();
    SessionSettings settings =
        new SessionSettings(
            agreement.localConnectionId(),
            agreement.remoteConnectionId(),
            agreement.contentBytes(),
            WINDOW_SYMBOLS,
            SessionSettings.USUAL_SILENCE_NANOS,
            ThreadLocalRandom.current().nextLong());
    this.paths = paths;
    this.controller =
        new DelayCompete(paths.start(remote.getAddress(), agreement.datagramBytes(), begunNanos));
    this.session =
        new CodedSession(settings, controller, new SlidingDeficit(), streams, begunNanos);
    this.driver = new SessionDriver(loop, socket, session, settings, agreement.protection(), this);
    this.carriers = carriers.apply(this);
    this.arrivals = new CarrierArrivals(this, this.carriers);
  }

  SessionDriver driver() {
    return driver;
  }

  /** Starts on the event loop; the socket is registered with it. */
  void start() {
    driver
        .start()
        .addListener(started -> {
          if (started.isSuccess()) {
            looking =
                loop.scheduleAtFixedRate(
                    this::look, GLANCE_NANOS, GLANCE_NANOS, TimeUnit.NANOSECONDS);
            session.ping(); // Proves to the peer that this end holds the keys.
            driver.turnSoon();
          } else {
            LOG.log(
                Level.WARNING, "a coded session did not begin: {0}", started.cause().getMessage());
            driver.fail();
          }
        });
  }

  /** Starts on the connection over which its handshake came. */
  void beginOver(TcpCarrier connection) {
    arrivals.beginOver(connection);
    note();
  }

  long now() {
    return System.nanoTime();
  }

  InetSocketAddress local() {
    return local;
  }

  InetSocketAddress remote() {
    return remote;
  }

  CodedSession session() {
    return session;
  }

  /** Whether streams may be opened. */
  boolean isUp() {
    return session.state() == SessionState.ESTABLISHED && !isLeaving;
  }

  /**
   * Opens a stream.
   *
   * @param first handler of its pipeline
   * @return null if the bound on open streams is reached
   */
  @Nullable Channel open(ChannelHandler first) {
    CodedStream stream = streams.open();
    return stream == null ? null : connection(stream, first);
  }

  private Channel connection(CodedStream stream, ChannelHandler first) {
    CodedConnection connection = new CodedConnection(this, stream);
    stream.attach(connection);
    connection.pipeline().addLast("arrival", first);
    loop.register(connection);
    return connection;
  }

  /** Sends written bytes. */
  void wake() {
    driver.turnSoon();
  }

  boolean isSilentFor(Duration limit) {
    return session.isOutstanding() && now() - session.heardNanos() > limit.toNanos();
  }

  /** Opens no more streams, and ends the session once the running ones are over. */
  void leave() {
    isLeaving = true;
    note();
    endIfDone();
  }

  /** Ends the session and all streams at once, with resets. From any thread. */
  void abortSoon() {
    if (loop.isShuttingDown()) {
      return; // Its sockets are closed with the loop.
    }
    loop.execute(() -> {
      session.reset(CodedConnection.CLOSED, now());
      driver.turnSoon();
    });
  }

  /** {@link #leave()}, from any thread. */
  void leaveSoon() {
    if (!loop.isShuttingDown()) {
      loop.execute(this::leave);
    }
  }

  /** {@link #abandon()}, from any thread. */
  void abandonSoon() {
    if (!loop.isShuttingDown()) {
      loop.execute(this::abandon);
    }
  }

  /** Returns the receiver of arrivals by other carriers than the session's socket. */
  CarrierArrivals arrivals() {
    return arrivals;
  }

  EventLoop loop() {
    return loop;
  }

  /** Ends the session without notifying the peer. */
  void abandon() {
    session.abandon();
    driver.turnSoon();
  }

  /** Returns its counts as of the last check. May be called from any thread. */
  CodedCount count() {
    return count;
  }

  @Override
  public void ready(SessionDriver ignored) {
    if (!hasHeard && session.heardNanos() > begunNanos) {
      hasHeard = true;
      listener.heard(this);
    }
    CodedStream arrived = streams.accept();
    while (arrived != null) {
      if (isLeaving) {
        arrived.reset(Streams.REFUSED);
      } else {
        connection(arrived, handlers.get());
      }
      arrived = streams.accept();
    }
    CodedStream changed = streams.nextChanged();
    while (changed != null) {
      if (changed.attachment() instanceof CodedConnection connection) {
        connection.carryOn();
      }
      changed = streams.nextChanged();
    }
    session.read(NOTHING, now()); // Notices the end of the session.
    if (session.receiving() == ReceivingState.ENDED) {
      isLeaving = true;
    }
    endIfDone();
  }

  @Override
  public boolean isBehind() {
    return streams.hasChanged();
  }

  private void endIfDone() {
    if (isLeaving && streams.count() == 0) {
      session.end();
      driver.turnSoon();
    }
  }

  private void look() {
    long now = now();
    carriers.look(now);
    if (now - lookedNanos >= LOOK_NANOS) {
      lookedNanos = now;
      note();
      keepAlive();
    }
    driver.turnSoon();
  }

  private void note() {
    SessionAccount account = session.account();
    long repairs = account.repairsSent() + account.repeatsSent();
    double baseLoss = 0;
    double capacity = 0;
    if (controller instanceof DelayCompete of) {
      baseLoss = of.baseLoss();
      capacity = of.capacity();
      passed.note(now(), account.sourcesSent() + repairs, account.lossRate(), baseLoss);
      notePath(of);
    }
    count =
        new CodedCount(
            account.lossRate(),
            baseLoss,
            account.mode(),
            account.roundTripNanos(),
            account.sourcesSent(),
            repairs,
            Math.min(capacity, passed.highest()) * datagramBits,
            streams.count(),
            driver.carrier() instanceof TcpCarrier,
            why());
  }

  private void notePath(DelayCompete of) {
    RetainedPath learned = of.retained();
    if (learned != null) {
      paths.note(remote.getAddress(), learned, datagramBits / Byte.SIZE, now());
    } else if (of.hasRetreated()) {
      paths.forget(remote.getAddress());
    }
  }

  private @Nullable String why() {
    String carried = carriers.why();
    return carried != null || driver.pathMtu() == PathMtu.State.WHOLE
        ? carried
        : "the path carries only shorter datagrams than before: each is sent as two halves";
  }

  private void keepAlive() {
    long silentNanos = now() - session.heardNanos();
    if (silentNanos > SessionSettings.USUAL_SILENCE_NANOS) {
      session.abandon();
    } else if (silentNanos > LOOK_NANOS) {
      session.ping();
    }
  }

  /**
   * Takes effect only if the peer does not answer, since an on-path attacker can forge such a
   * message.
   */
  @Override
  public void unreachable(SessionDriver ignored) {
    if (isDoubting) {
      return;
    }
    isDoubting = true;
    long doubtNanos = now();
    session.ping();
    driver.turnSoon();
    loop.schedule(
        () -> judge(doubtNanos),
        Math.max(began ? DOUBT_NANOS : PATIENT_DOUBT_NANOS, 3 * session.account().roundTripNanos()),
        TimeUnit.NANOSECONDS);
  }

  private void judge(long doubtNanos) {
    isDoubting = false;
    doubtedNanos = doubtNanos;
    if (isDoubted() && !carriers.hasOtherWay()) {
      abandon();
    }
  }

  /** Whether the peer's system has reported a closed port, and the peer has sent nothing since. */
  boolean isDoubted() {
    return doubtedNanos != NEVER_DOUBTED && session.heardNanos() - doubtedNanos < 0;
  }

  /** Whether there are streams, which would stall with the session. */
  boolean isBusy() {
    return streams.count() > 0;
  }

  /** Requests an acknowledgement from the peer. */
  void ask() {
    session.ping();
    driver.turnSoon();
  }

  /** Changes the carrier. */
  void carryBy(DatagramCarrier by, RateController newController) {
    controller = newController;
    driver.carryBy(by, newController);
  }

  /** The peer has proved that it has another address. */
  @SuppressWarnings("ReferenceEquality") // of carriers, which have no equality but identity
  void peerMoved(InetSocketAddress to) {
    try {
      driver.socket().connect(to);
    } catch (IOException e) {
      LOG.log(Level.FINE, "a peer that has moved is not reached: {0}", e.getMessage());
      return;
    }
    boolean isElsewhere = !to.getAddress().equals(remote.getAddress());
    remote = to;
    if (isElsewhere || driver.carrier() != driver.socket()) {
      carryBy(driver.socket(), new DelayCompete()); // Another path (RFC 9000 §9.4).
    } else {
      driver.turnSoon(); // Another port of the same NAT.
    }
  }

  @Override
  public void handshake(SessionDriver ignored, ByteBuffer datagram) {
    if (!hasHeard) {
      listener.handshake(this, datagram);
    }
  }

  @Override
  public void pathAnswered(SessionDriver ignored, DatagramCarrier by, long data) {
    carriers.answered(by, data);
  }

  @Override
  public void pathAdvanced(SessionDriver ignored, DatagramCarrier by) {
    carriers.advanced(by);
  }

  @Override
  public void tcpWanted(SessionDriver ignored, boolean instead) {
    carriers.tcpWanted(instead);
  }

  /** Whether the peer has sent anything under the session's keys. */
  boolean hasHeard() {
    return hasHeard;
  }

  @Override
  public void closed(SessionDriver ignored) {
    Future<?> running = looking;
    if (running != null) {
      running.cancel(false);
    }
    carriers.close();
    streams.close();
    String why = words(session.reason());
    ConnectionFailure failure =
        new ConnectionFailure(
            session.reason() == CloseReason.SILENCE
                ? ConnectionError.TIMED_OUT
                : ConnectionError.BROKEN,
            "coded session: " + why);
    for (CodedStream stream : streams.all()) {
      if (stream.attachment() instanceof CodedConnection connection) {
        connection.fail(failure);
      }
    }
    listener.closed(this, why);
  }

  private static String words(CloseReason reason) {
    return switch (reason) {
      case NONE -> "its socket failed";
      case COMPLETED -> "ended";
      case RESET_BY_US -> "given up by this end";
      case RESET_BY_PEER -> "given up by the peer";
      case SILENCE -> "the peer does not answer";
      case MISBEHAVED -> "the peer violated the protocol";
    };
  }
}
