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
 * Runs a coded session on an event loop: passes it what a socket receives, sends what it writes
 * when it is due, and notifies the application when there may be work for it.
 *
 * <p>A turn receives, lets the application read and offer, sends what is due, and sets the timer.
 * The session holds a bounded number of symbols in each direction: a peer whose application does
 * not read grants no credit, and {@link #offer} then accepts nothing.
 *
 * <p>All methods except {@link #start} are called on the event loop.
 */
public final class SessionDriver implements UdpSocket.Events {
  /** Datagrams that are sent before other work of the loop runs. */
  private static final int MOST_A_TURN = 64;

  /** Resolution of timers: datagrams that become due within it are sent as one train. */
  private static final long GRAIN_NANOS = 500_000;

  /**
   * A timer that is this late means that the process was suspended; datagrams that arrived
   * meanwhile are processed first.
   */
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

  /** The application whose bytes a session carries. */
  public interface Application {
    /**
     * Datagrams are about to be read.
     *
     * @param nowNanos not before any of them arrived
     */
    default void receiving(long nowNanos) {}

    /** There may be bytes to read, their end, or room to offer. */
    void ready(SessionDriver driver);

    /** Whether {@link #ready} has something to do since the datagrams of a turn were sent. */
    default boolean isBehind() {
      return false;
    }

    /** The peer's system reports that the port is closed. The report is not authenticated. */
    default void unreachable(SessionDriver driver) {}

    /**
     * A datagram has arrived that is of a handshake and not of the session.
     *
     * @param datagram valid until the call returns
     */
    default void handshake(SessionDriver driver, ByteBuffer datagram) {}

    /**
     * The peer has answered a challenge.
     *
     * @param by the carrier of the answer
     */
    default void pathAnswered(SessionDriver driver, DatagramCarrier by, long data) {}

    /**
     * The newest packet so far has arrived over a carrier, and its sender does not merely test the
     * carrier.
     *
     * @param by the carrier of the packet
     */
    default void pathAdvanced(SessionDriver driver, DatagramCarrier by) {}

    /**
     * The peer's data does not arrive over UDP as it should.
     *
     * @param instead whether the peer wants TCP to carry the session; otherwise it wants a
     *     comparison
     */
    default void tcpWanted(SessionDriver driver, boolean instead) {}

    /** The session and its socket are closed; {@link CodedSession#reason} tells the cause. */
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
   * @param protection of the session's datagrams; null if they are sent unprotected
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
    this.unreachable = socket.unreachable(); // Earlier reports concerned the handshake's datagrams.
    this.plain = ByteBuffer.allocate(protection == null ? 0 : LARGEST_DATAGRAM);
    this.application = application;
    this.clock = clock;
    session.tell(new Paths());
  }

  /** Answers the peer's challenges over their carriers, and passes on its answers. */
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

  /** Sends a challenge over a carrier. */
  void challenge(DatagramCarrier by, long data) {
    send(by, new Frame.PathChallenge(data), 0);
  }

  /**
   * Sends a challenge over UDP, as long as datagrams that are sent in halves, to find out whether
   * data would arrive.
   */
  void challengeUdp(long data) {
    send(socket, new Frame.PathChallenge(data), output.halfBytes());
  }

  /**
   * Sends a frame about a carrier, at once.
   *
   * @param bytes least length of the datagram
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

  /** Returns the carrier of the session's datagrams to the peer. */
  DatagramCarrier carrier() {
    return output.carrier();
  }

  /** The UDP socket; it receives whichever carrier is in use. */
  UdpSocket socket() {
    return socket;
  }

  /**
   * Changes the carrier.
   *
   * @param controller for the new carrier
   */
  @SuppressWarnings("ReferenceEquality") // of carriers, which have no equality but identity
  void carryBy(DatagramCarrier next, RateController controller) {
    long now = clock.getAsLong();
    output.carryBy(next, now);
    session.wayChanged(controller, next != socket, now);
    turnSoon();
  }

  /** Returns the state of the search for the longest datagram that the path carries. */
  PathMtu.State pathMtu() {
    return output.pathMtu();
  }

  /** Starts on the event loop. */
  public Future<Boolean> start() {
    return start(this);
  }

  /**
   * Starts on the event loop with a filter between the socket and this driver, such as a
   * measurement's losses.
   *
   * @param between passes the events on
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

  /** Returns the session; to be read on the event loop. */
  public CodedSession session() {
    return session;
  }

  /** Returns the session's counts. */
  public SessionAccount account() {
    return session.account();
  }

  /** Number of datagrams, or trains of them, that the network refused. */
  public long refused() {
    return socket.refused();
  }

  /** Accepts bytes to send, as many as there is room for. */
  public int offer(ByteBuffer data) {
    int taken = session.offer(data);
    if (taken > 0) {
      turnSoon();
    }
    return taken;
  }

  /** Copies bytes that have arrived in order; unread bytes hold the sender back. */
  public int read(ByteBuffer into) {
    int copied = session.read(into, clock.getAsLong());
    if (copied > 0) {
      turnSoon(); // There may be credit to send.
    }
    return copied;
  }

  /** Ends the output. */
  public void end() {
    session.end();
    turnSoon();
  }

  /** Resets the session in both directions. */
  public void reset(long code) {
    session.reset(code, clock.getAsLong());
    turnSoon();
  }

  /**
   * Runs a turn now, unless one is running: something has arrived by another way than the socket.
   */
  void turnNow() {
    turn();
  }

  /** Schedules a turn soon: something has changed outside the session. */
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
   * Takes a datagram; a turn must follow.
   *
   * @param by the carrier on which it arrived, and by which answers to it are sent
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

  /** A fault in this program ends one session and not the others of its event loop. */
  private void broken(RuntimeException e) {
    LOG.log(Level.WARNING, "a coded session broke", e);
    close();
  }

  @Override
  public void readable() {
    receive();
  }

  /**
   * Receives. While datagrams arrive more closely than the timer's resolution, the driver polls
   * once per resolution instead of being woken for each; the kernel records their times of arrival.
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
      close(); // The event loop has ended and closed it.
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
      return; // writable() continues.
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

  /** Schedules a turn; if an earlier one runs, it sets the timer anew. */
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

  /** Ends a session that could not start. */
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
