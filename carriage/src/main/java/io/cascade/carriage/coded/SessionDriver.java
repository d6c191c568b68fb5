package io.cascade.carriage.coded;

import io.cascade.carriage.transport.DatagramCarrier;
import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.control.RateController;
import io.cascade.coding.crypto.PacketProtection;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.PathMtu;
import io.cascade.coding.session.SessionAccount;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.session.SessionState;
import io.cascade.coding.wire.Frame;
import io.cascade.coding.wire.HalfDatagrams;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Drives a coded session on an event loop: gives it what a socket receives, sends what it writes
 * when it wants to, and tells the application when there may be something to do.
 *
 * <p>A turn receives, lets the application read and offer, sends what is due, and sets the timer.
 * The session holds a bounded number of symbols either way: a peer whose application does not read
 * gives no credit, and {@link #offer} then takes nothing.
 *
 * <p>Everything but {@link #start} runs on the event loop.
 */
public final class SessionDriver implements UdpSocket.Events {
  /** Datagrams that are sent before other work of the loop gets its turn. */
  private static final int MOST_A_TURN = 64;

  /** Timers are no finer than this: what is due meanwhile leaves as one train. */
  private static final long GRAIN_NANOS = 500_000;

  /** A timer so late means that the process stood still: what has arrived meanwhile comes first. */
  private static final long LATE_NANOS = 50_000_000;

  private static final int LARGEST_DATAGRAM = 16_384;

  private static final long NO_TIMER = Long.MAX_VALUE;
  private static final Logger LOG = Logger.getLogger(SessionDriver.class.getName());

  private final EventLoop loop;
  private final UdpSocket socket;
  private final CodedSession session;
  private final @Nullable PacketProtection protection;
  private final ByteBuffer plain;
  private final SessionOutput output;
  private final Application application;
  private final LongSupplier clock;

  private @Nullable Future<?> timer;
  private long timerNanos = NO_TIMER;
  private long receivedNanos;
  private long lookNanos;
  private long unreachable;
  private boolean isLooking;
  private boolean isTurning;
  private boolean isClosed;
  private DatagramCarrier arrivedBy;

  /** Application for which a session carries bytes. */
  public interface Application {
    /**
     * Datagrams are about to be read.
     *
     * @param nowNanos not before any of them arrived
     */
    default void receiving(long nowNanos) {}

    /** There may be bytes to read, an end of them, or room to offer. */
    void ready(SessionDriver driver);

    /** Whether {@link #ready} has something to do since the datagrams of a turn have left. */
    default boolean isBehind() {
      return false;
    }

    /** The peer's system says that nobody has its port; anybody on the way can say so. */
    default void unreachable(SessionDriver driver) {}

    /**
     * A datagram has come that is no session's, but a handshake's.
     *
     * @param datagram valid until the return
     */
    default void handshake(SessionDriver driver, ByteBuffer datagram) {}

    /**
     * The peer has answered a challenge.
     *
     * @param by what brought the answer
     */
    default void pathAnswered(SessionDriver driver, DatagramCarrier by, long data) {}

    /**
     * The newest packet so far came by a way, and its sender does not only test it.
     *
     * @param by what brought it
     */
    default void pathAdvanced(SessionDriver driver, DatagramCarrier by) {}

    /**
     * The peer's data does not get through over UDP as it should.
     *
     * @param instead whether it wants TCP to carry the session; else to compare the two
     */
    default void tcpWanted(SessionDriver driver, boolean instead) {}

    /** The session is over, and so is its socket; {@link CodedSession#reason} says why. */
    void closed(SessionDriver driver);
  }

  /**
   * @param socket connected to the peer; closed with the session
   * @param settings those of the session
   */
  public SessionDriver(
      EventLoop loop,
      UdpSocket socket,
      CodedSession session,
      SessionSettings settings,
      Application application) {
    this(loop, socket, session, settings, null, application, System::nanoTime);
  }

  /**
   * @param protection of the session's datagrams; null where they are sent as they are
   */
  public SessionDriver(
      EventLoop loop,
      UdpSocket socket,
      CodedSession session,
      SessionSettings settings,
      @Nullable PacketProtection protection,
      Application application) {
    this(loop, socket, session, settings, protection, application, System::nanoTime);
  }

  SessionDriver(
      EventLoop loop,
      UdpSocket socket,
      CodedSession session,
      SessionSettings settings,
      @Nullable PacketProtection protection,
      Application application,
      LongSupplier clock) {
    this.loop = loop;
    this.socket = socket;
    this.session = session;
    this.protection = protection;
    this.output = new SessionOutput(session, settings, protection, socket);
    this.arrivedBy = socket;
    this.unreachable = socket.unreachable(); // Those were answers to the handshake's datagrams.
    this.plain = ByteBuffer.allocate(protection == null ? 0 : LARGEST_DATAGRAM);
    this.application = application;
    this.clock = clock;
    session.tell(new Paths());
  }

  /** Answers what the peer asks by any way, and passes on what it answers. */
  private final class Paths implements CodedSession.PathEvents {
    @Override
    public void challenged(long data, int datagramBytes) {
      send(arrivedBy, new Frame.PathResponse(data), datagramBytes);
    }

    @Override
    public void answered(long data) {
      if (!output.onAnswer(data, clock.getAsLong())) {
        application.pathAnswered(SessionDriver.this, arrivedBy, data);
      }
    }

    @Override
    public void advanced() {
      application.pathAdvanced(SessionDriver.this, arrivedBy);
    }

    @Override
    public void tcpWanted(boolean instead) {
      application.tcpWanted(SessionDriver.this, instead);
    }
  }

  /** Asks whether the peer is where a way leads to. */
  void challenge(DatagramCarrier by, long data) {
    send(by, new Frame.PathChallenge(data), 0);
  }

  /** The same over UDP, whether data would get there: as long as what halved datagrams need. */
  void challengeUdp(long data) {
    send(socket, new Frame.PathChallenge(data), output.halfBytes());
  }

  /**
   * Sends a frame about a way, at once.
   *
   * @param bytes of the datagram, at least
   */
  void send(DatagramCarrier by, Frame frame, int bytes) {
    if (!isClosed) {
      try {
        output.sendPathFrame(by, frame, bytes, clock.getAsLong());
      } catch (IOException e) {
        LOG.log(Level.FINE, "a way was not tested: {0}", e.getMessage());
      }
    }
  }

  /** Returns what carries the session's datagrams to the peer. */
  DatagramCarrier carrier() {
    return output.carrier();
  }

  /** The UDP socket; receives whatever carries the session. */
  UdpSocket socket() {
    return socket;
  }

  /**
   * Sends by another way from now on.
   *
   * @param controller for it
   */
  @SuppressWarnings("ReferenceEquality") // of carriers, which are equal to no other
  void carryBy(DatagramCarrier next, RateController controller) {
    long now = clock.getAsLong();
    output.carryBy(next, now);
    session.wayChanged(controller, next != socket, now);
    turnSoon();
  }

  /** Returns what is known of the longest datagrams that the path takes. */
  PathMtu.State pathMtu() {
    return output.pathMtu();
  }

  /** Begins, on the event loop. */
  public Future<Boolean> start() {
    return start(this);
  }

  /**
   * Begins, on the event loop, with something between the socket and this: a measurement's losses.
   *
   * @param between that passes on what it is told
   */
  public Future<Boolean> start(UdpSocket.Events between) {
    return socket
        .register(loop, between)
        .addListener(registered -> {
          if (registered.isSuccess()) {
            turn();
          }
        });
  }

  /** Returns what it drives; to be looked at on the event loop. */
  public CodedSession session() {
    return session;
  }

  /** Returns what the session has done. */
  public SessionAccount account() {
    return session.account();
  }

  /** Datagrams, or trains of them, that the network refused. */
  public long refused() {
    return socket.refused();
  }

  /** Takes bytes to send, as many as there is room for. */
  public int offer(ByteBuffer data) {
    int taken = session.offer(data);
    if (taken > 0) {
      turnSoon();
    }
    return taken;
  }

  /** Copies bytes that have arrived in order; what is not read holds the sender back. */
  public int read(ByteBuffer into) {
    int copied = session.read(into, clock.getAsLong());
    if (copied > 0) {
      turnSoon(); // There may be credit to tell.
    }
    return copied;
  }

  /** Says that no more bytes come. */
  public void end() {
    session.end();
    turnSoon();
  }

  /** Gives the session up in both directions. */
  public void reset(long code) {
    session.reset(code, clock.getAsLong());
    turnSoon();
  }

  /** Has a turn now, unless one is under way: something has come that is not the socket's. */
  void turnNow() {
    turn();
  }

  /** Has a turn come soon: something has changed that the session does not know of. */
  public void turnSoon() {
    if (!isTurning) {
      setTimer(clock.getAsLong());
    }
  }

  @Override
  public void datagram(ByteBuffer datagram, long receivedNanos) {
    if (!isClosed && datagram.hasRemaining() && isHandshake(datagram)) {
      application.handshake(this, datagram);
    } else {
      Arrival _ = datagram(socket, datagram, receivedNanos);
    }
  }

  private static boolean isHandshake(ByteBuffer datagram) {
    return (datagram.get(datagram.position()) & 0xc0) == 0;
  }

  /**
   * Takes a datagram that came by some way; a turn has to follow.
   *
   * @param by what answers to it leave by
   */
  Arrival datagram(DatagramCarrier by, ByteBuffer datagram, long receivedNanos) {
    if (isClosed) {
      return Arrival.REFUSED;
    }
    ByteBuffer whole = HalfDatagrams.isOne(datagram) ? output.join(datagram) : datagram;
    if (whole == null) {
      return Arrival.HALF;
    }
    arrivedBy = by;
    try {
      PacketProtection opens = protection;
      ByteBuffer opened = whole;
      if (opens != null) {
        if (!opens.open(whole, plain.clear())) {
          return Arrival.REFUSED;
        }
        opened = plain.flip();
      }
      return session.onDatagram(opened, receivedNanos) ? Arrival.NEW : Arrival.KNOWN;
    } catch (RuntimeException e) {
      broken(e);
      return Arrival.REFUSED;
    } finally {
      arrivedBy = socket;
    }
  }

  /** A mistake in this program ends one session and not the others of its event loop. */
  private void broken(RuntimeException e) {
    LOG.log(Level.WARNING, "a coded session broke", e);
    close();
  }

  @Override
  public void readable() {
    receive();
  }

  /**
   * Receives. While datagrams come closer together than the timer's grain, it looks for them once a
   * grain instead of being woken for each: the kernel notes when they come.
   */
  private void receive() {
    long now = clock.getAsLong();
    application.receiving(now);
    boolean hasCome = socket.receive() > 0;
    isLooking = hasCome && (isLooking || now - receivedNanos < GRAIN_NANOS);
    socket.awaitReadable(!isLooking);
    if (hasCome) {
      receivedNanos = now;
    }
    lookNanos = now + GRAIN_NANOS;
    turn();
  }

  @Override
  public void writable() {
    turn();
  }

  private void turn() {
    if (isClosed || isTurning) {
      return;
    }
    if (!socket.isOpen()) {
      close(); // Its event loop has ended, and closed it.
      return;
    }
    isTurning = true;
    try {
      application.ready(this);
      send();
      if (application.isBehind()) {
        setTimer(clock.getAsLong());
      }
      if (!isClosed && socket.unreachable() > unreachable) {
        unreachable = socket.unreachable();
        application.unreachable(this);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the socket of a coded session failed: {0}", e.getMessage());
      close();
    } catch (RuntimeException e) {
      broken(e);
    } finally {
      isTurning = false;
    }
  }

  private void send() throws IOException {
    int written = 0;
    output.watchPath(clock.getAsLong());
    while (written < MOST_A_TURN && output.hasRoom() && output.write(clock.getAsLong())) {
      written++;
    }
    if (isLooking) {
      setTimer(lookNanos);
    }
    if (!output.flush()) {
      return; // writable() goes on.
    }
    if (session.state() == SessionState.CLOSED) {
      close();
    } else if (written == MOST_A_TURN) {
      setTimer(clock.getAsLong());
    } else {
      long next = Math.min(session.nextNanos(), output.nextNanos());
      if (next != CodedSession.NEVER) {
        setTimer(Math.max(next, clock.getAsLong() + GRAIN_NANOS));
      }
    }
  }

  /** Has a turn come at a time; one that comes earlier anyway sets the timer anew. */
  private void setTimer(long atNanos) {
    if (isClosed || atNanos >= timerNanos) {
      return;
    }
    Future<?> before = timer;
    if (before != null) {
      before.cancel(false);
    }
    timerNanos = atNanos;
    long delay = Math.max(0, atNanos - clock.getAsLong());
    timer = loop.schedule(this::onTimer, delay, TimeUnit.NANOSECONDS);
  }

  private void onTimer() {
    long now = clock.getAsLong();
    boolean isLate = now - timerNanos > LATE_NANOS;
    timer = null;
    timerNanos = NO_TIMER;
    if (isLate || (isLooking && now >= lookNanos)) {
      receive();
    } else {
      turn();
    }
  }

  /** Ends a session that could not begin. */
  void fail() {
    if (!isClosed) {
      close();
    }
  }

  private void close() {
    isClosed = true;
    Future<?> pending = timer;
    if (pending != null) {
      pending.cancel(false);
    }
    socket.close();
    application.closed(this);
  }
}
