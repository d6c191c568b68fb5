package io.cascade.coding.session;

import io.cascade.coding.control.RateController;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.wire.Frame;
import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.PacketHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One end of an established session: a reliable stream of bytes in each direction, or {@link
 * SymbolContents} such as many streams, over datagrams that may be lost, duplicated, reordered or
 * forged. Uses no sockets and no clocks: its owner passes it datagrams and times, and polls it for
 * both.
 *
 * <pre>
 * onDatagram(bytes, received)          what arrives
 * poll(now, buffer)                    what to send now; again until it has nothing
 * nextNanos()                          when to poll again, if nothing else happens first
 * offer, end, read, reset              the stream
 * </pre>
 *
 * Times are nanoseconds of one monotonic clock, with which the peer's need not agree. Used by one
 * thread. Holds at most three windows of symbols, 1,024 equations and 256 sets of gaps.
 */
public final class CodedSession {
  /** Result of {@link #nextNanos} while there is nothing to do until an event occurs. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int MOST_RESETS = 8;

  /**
   * A peer that has not received the last acknowledgement requests one per time-out; many of those
   * may be lost.
   */
  private static final int LINGER_TIMEOUTS = 8;

  private final SessionSettings settings;
  private final DataSender sender;
  private final DataReceiver receiver;

  private SessionState state = SessionState.ESTABLISHED;
  private SendingState sending = SendingState.OPEN;
  private ReceivingState receiving = ReceivingState.RECEIVING;
  private CloseReason reason = CloseReason.NONE;

  private long resetCode;
  private int resetsSent;
  private long resetDueNanos = NEVER;
  private boolean owesResetSeen;
  private long lingerUntilNanos = NEVER;
  private long lastHeardNanos;
  private boolean wasOutstanding;
  private long malformed;
  private PathEvents paths = PathEvents.NONE;

  /** Listener to events of the carriers of a session's datagrams. */
  public interface PathEvents {
    PathEvents NONE = new PathEvents() {};

    /** The peer has sent a challenge, over the carrier of this datagram. */
    default void challenged(long data, int datagramBytes) {}

    /** The peer answers a challenge. */
    default void answered(long data) {}

    /**
     * The peer's data does not arrive over UDP.
     *
     * @param instead whether the peer wants TCP to carry the session; otherwise it wants a
     *     comparison
     */
    default void tcpWanted(boolean instead) {}

    /**
     * The newest packet so far has arrived, and its sender uses the carrier by which it came: it is
     * no test.
     */
    default void advanced() {}
  }

  /**
   * @param controller of the packets that this end sends
   * @param policy of the packets that this end sends
   */
  public CodedSession(
      SessionSettings settings, RateController controller, RedundancyPolicy policy, long nowNanos) {
    this(settings, controller, policy, null, nowNanos);
  }

  /**
   * @param contents carried by the symbols; null for one stream of bytes
   */
  public CodedSession(
      SessionSettings settings,
      RateController controller,
      RedundancyPolicy policy,
      @Nullable SymbolContents contents,
      long nowNanos) {
    this.settings = settings;
    this.sender = new DataSender(settings, controller, policy, contents, nowNanos);
    this.receiver = new DataReceiver(settings, contents);
    this.lastHeardNanos = nowNanos;
  }

  public SessionState state() {
    return state;
  }

  public SendingState sending() {
    return sending;
  }

  public ReceivingState receiving() {
    return receiving;
  }

  public CloseReason reason() {
    return reason;
  }

  /** The code of a reset, by this end or the peer. */
  public long resetCode() {
    return resetCode;
  }

  /**
   * Accepts bytes to send.
   *
   * @return the number of bytes accepted; fewer than offered if the window is full
   */
  public int offer(ByteBuffer data) {
    return sending == SendingState.OPEN ? sender.symbols().offer(data) : 0;
  }

  /** Whether {@link #offer} would accept a byte now. */
  public boolean hasRoom() {
    return sending == SendingState.OPEN && sender.symbols().hasRoom();
  }

  /** Number of symbols with content that are unacknowledged or not sent yet. */
  public long outstandingSymbols() {
    return sender.symbols().outstanding();
  }

  /** Ends the output; contents that still wait are sent before. */
  public void end() {
    if (sending == SendingState.OPEN) {
      sender.symbols().end();
      move(SendingState.Event.END);
    }
  }

  /**
   * Resets the session in both directions; the peer is told.
   *
   * @param code for the peer's application, 0 to 2^62 − 1
   */
  public void reset(long code, long nowNanos) {
    if (state == SessionState.ESTABLISHED) {
      resetCode = code;
      giveUp(SessionState.Event.RESET_WANTED, CloseReason.RESET_BY_US);
      resetDueNanos = nowNanos;
    }
  }

  /** Requests an acknowledgement, to find out whether the peer answers. */
  public void ping() {
    if (state == SessionState.ESTABLISHED) {
      sender.wantPing();
    }
  }

  /**
   * Ends the session at once, as if nothing had been received for too long: the peer is not told.
   */
  public void abandon() {
    if (state == SessionState.ESTABLISHED) {
      giveUp(SessionState.Event.SILENCE, CloseReason.SILENCE);
    }
  }

  /** Sets the listener to events of the carriers. */
  public void tell(PathEvents of) {
    paths = of;
  }

  /**
   * Changes the carrier. Symbols, credit and streams are kept; packets in flight count as lost.
   *
   * @param controller for the new carrier, in its initial state
   * @param reliable whether packets over that carrier arrive, and in order
   */
  public void wayChanged(RateController controller, boolean reliable, long nowNanos) {
    sender.wayChanged(controller, reliable, nowNanos);
  }

  /** Considers packets in flight lost, since they were too long for the path. */
  public void pathShrank(long nowNanos) {
    sender.pathShrank(nowNanos);
  }

  /** Returns what acknowledgements show of the carrier. */
  public AnswerWatch answers() {
    return sender.answers();
  }

  /** Time within which an answer is expected. */
  public long probeTimeoutNanos() {
    return sender.roundTrip().probeTimeoutNanos(0);
  }

  /**
   * Writes a datagram about the carrier on which it is sent.
   *
   * @param frame that tests a carrier
   * @param bytes least length, to which a shorter datagram is padded
   */
  public void writePathFrame(Frame frame, int bytes, long nowNanos, ByteBuffer out) {
    int start = out.position();
    sender.controlHeader(nowNanos, out);
    frame.write(out);
    int missing = bytes - (out.position() - start);
    if (missing > 0) {
      new Frame.Padding(missing).write(out);
    }
  }

  /** Time at which the peer's last datagram arrived. */
  public long heardNanos() {
    return lastHeardNanos;
  }

  /** Whether anything was sent that the peer has not acknowledged. */
  public boolean isOutstanding() {
    return state == SessionState.ESTABLISHED && sender.isOutstanding();
  }

  /**
   * Copies bytes that have arrived in order.
   *
   * @return the number of bytes; 0 also at the end, which {@link #receiving} tells
   */
  public int read(ByteBuffer into, long nowNanos) {
    if (receiving == ReceivingState.RESET) {
      return 0;
    }
    int copied = receiver.read(into, nowNanos, settings.windowSymbols());
    afterReading(nowNanos);
    return copied;
  }

  private void afterReading(long nowNanos) {
    if (receiver.symbols().allRead()) {
      move(ReceivingState.Event.ALL_READ);
      finishIfComplete(nowNanos);
    }
  }

  /**
   * Takes a datagram. Datagrams that are malformed, or not for this session, are dropped and
   * counted.
   *
   * @param receivedNanos when it arrived
   * @return whether it was accepted; false if it is a repetition, or too old to tell
   */
  public boolean onDatagram(ByteBuffer datagram, long receivedNanos) {
    if (state == SessionState.CLOSED) {
      return false;
    }
    try {
      PacketHeader header = PacketHeader.read(datagram, receiver.packets().largest());
      if (header.connectionId() != settings.localConnectionId()
          || header.number() < 0
          || receiver.packets().isKnown(header.number())) {
        return false;
      }
      boolean isNewest = header.number() > receiver.packets().largest();
      boolean isProbing = false;
      if (header.type().isData()) {
        receiver.onPacket(header, datagram, receivedNanos);
      } else {
        isProbing = onFrames(header, datagram, receivedNanos);
      }
      lastHeardNanos = receivedNanos;
      if (isNewest && !isProbing) {
        paths.advanced();
      }
      check(receivedNanos);
      return true;
    } catch (Malformed e) {
      malformed++;
      return false;
    }
  }

  /** Takes frames; returns whether all of them only test a carrier. */
  private boolean onFrames(PacketHeader header, ByteBuffer body, long nowNanos) throws Malformed {
    int length = body.limit();
    ByteBuffer check = body.duplicate();
    boolean isProbing = true;
    while (check.hasRemaining()) {
      isProbing &= Frame.read(check).isProbing(); // All must be valid.
    }
    receiver.noteNumber(header.number(), nowNanos);
    boolean wasChallenged = false;
    while (body.hasRemaining()) {
      switch (Frame.read(body)) {
        case Frame.Ping _ -> receiver.hurry(nowNanos);
        case Frame.Ack ack -> sender.onAck(ack.ack(), nowNanos);
        case Frame.Reset reset -> {
          owesResetSeen = true;
          if (state == SessionState.ESTABLISHED || state == SessionState.RESETTING) {
            resetCode = reset.code();
            giveUp(SessionState.Event.RESET_ARRIVED, CloseReason.RESET_BY_PEER);
            linger(nowNanos);
          }
        }
        case Frame.ResetSeen _ -> state = state.after(SessionState.Event.RESET_SEEN);
        case Frame.PathChallenge challenge -> {
          if (!wasChallenged) { // Once, since the answer is as long as the datagram.
            wasChallenged = true;
            paths.challenged(challenge.data(), length);
          }
        }
        case Frame.PathResponse response -> paths.answered(response.data());
        case Frame.TcpWanted wanted -> paths.tcpWanted(wanted.instead());
        case Frame.Padding _ -> {}
      }
    }
    return isProbing;
  }

  private void check(long nowNanos) {
    if (state != SessionState.ESTABLISHED) {
      return;
    }
    if (receiver.symbols().isCorrupt() || sender.ledger().misbehaved()) {
      giveUp(SessionState.Event.RESET_WANTED, CloseReason.MISBEHAVED);
      resetDueNanos = nowNanos;
      return;
    }
    if (receiver.symbols().isComplete()) {
      move(ReceivingState.Event.END_ARRIVED);
      afterReading(nowNanos);
    }
    if (sender.symbols().allArrived()) {
      move(SendingState.Event.ALL_ARRIVED);
      finishIfComplete(nowNanos);
    }
  }

  private void finishIfComplete(long nowNanos) {
    if (state == SessionState.ESTABLISHED
        && sending == SendingState.FINISHED
        && receiving == ReceivingState.ENDED) {
      state = state.after(SessionState.Event.BOTH_COMPLETE);
      reason = CloseReason.COMPLETED;
      linger(nowNanos);
    }
  }

  private void linger(long nowNanos) {
    lingerUntilNanos = nowNanos + LINGER_TIMEOUTS * sender.roundTrip().probeTimeoutNanos(0);
  }

  private void giveUp(SessionState.Event event, CloseReason why) {
    state = state.after(event);
    reason = why;
    move(SendingState.Event.RESET);
    move(ReceivingState.Event.RESET);
  }

  private void move(SendingState.Event event) {
    sending = sending.after(event);
  }

  private void move(ReceivingState.Event event) {
    receiving = receiving.after(event);
  }

  /**
   * Writes the next datagram that is due.
   *
   * @param out with room for {@link SessionSettings#datagramBytes}
   * @return its length, or 0 if none is due
   */
  public int poll(long nowNanos, ByteBuffer out) {
    int start = out.position();
    onTime(nowNanos);
    switch (state) {
      case ESTABLISHED -> {
        if (!writeAck(nowNanos, out)) {
          writeData(nowNanos, out);
        }
      }
      case RESETTING -> writeReset(nowNanos, out);
      case LINGERING -> writeAnswer(nowNanos, out);
      case CLOSED -> {}
    }
    return out.position() - start;
  }

  private void onTime(long nowNanos) {
    boolean outstanding = isOutstanding();
    if (outstanding && !wasOutstanding) {
      lastHeardNanos = Math.max(lastHeardNanos, nowNanos);
    }
    wasOutstanding = outstanding;
    if (outstanding && nowNanos >= lastHeardNanos + settings.silenceNanos()) {
      giveUp(SessionState.Event.SILENCE, CloseReason.SILENCE);
    } else if (state == SessionState.LINGERING && nowNanos >= lingerUntilNanos) {
      state = state.after(SessionState.Event.LINGERED);
    } else if (state == SessionState.RESETTING && resetsSent >= MOST_RESETS) {
      if (nowNanos >= resetDueNanos) {
        state = state.after(SessionState.Event.SILENCE);
      }
    }
  }

  private boolean writeAck(long nowNanos, ByteBuffer out) {
    if (nowNanos < receiver.ackDueNanos()) {
      return false;
    }
    sender.controlHeader(nowNanos, out);
    new Frame.Ack(receiver.acknowledge(nowNanos)).write(out);
    return true;
  }

  private void writeData(long nowNanos, ByteBuffer out) {
    if (!sender.poll(nowNanos, out) && sender.takePing(nowNanos)) {
      sender.controlHeader(nowNanos, out);
      new Frame.Ping().write(out);
    }
  }

  private void writeReset(long nowNanos, ByteBuffer out) {
    if (nowNanos >= resetDueNanos) {
      sender.controlHeader(nowNanos, out);
      new Frame.Reset(resetCode).write(out);
      resetDueNanos = nowNanos + sender.roundTrip().probeTimeoutNanos(resetsSent);
      resetsSent++;
    }
  }

  private void writeAnswer(long nowNanos, ByteBuffer out) {
    if (owesResetSeen) {
      owesResetSeen = false;
      sender.controlHeader(nowNanos, out);
      new Frame.ResetSeen().write(out);
    } else if (reason == CloseReason.COMPLETED) {
      writeAck(nowNanos, out);
    }
  }

  /** Returns when to {@link #poll} again, or {@link #NEVER}; a time in the past means now. */
  public long nextNanos() {
    return switch (state) {
      case ESTABLISHED -> {
        long next = Math.min(receiver.ackDueNanos(), sender.nextNanos());
        yield sender.isOutstanding()
            ? Math.min(next, lastHeardNanos + settings.silenceNanos())
            : next;
      }
      case RESETTING -> resetDueNanos;
      case LINGERING -> {
        if (owesResetSeen) {
          yield Long.MIN_VALUE;
        }
        yield reason == CloseReason.COMPLETED
            ? Math.min(receiver.ackDueNanos(), lingerUntilNanos)
            : lingerUntilNanos;
      }
      case CLOSED -> NEVER;
    };
  }

  /** Returns the session's counts so far. */
  public SessionAccount account() {
    ReceivingSymbols symbols = receiver.symbols();
    return new SessionAccount(
        sender.sourcesSent(),
        sender.repairsSent(),
        sender.repeatsSent(),
        symbols.repairs(),
        symbols.uselessRepairs(),
        symbols.forgottenRepairs(),
        malformed,
        sender.ledger().falselyLost(),
        sender.loss().lossRate(),
        sender.loss().burstPackets(),
        sender.roundTrip().smoothedNanos(),
        sender.ledger().inFlight(),
        sender.controller().mode(),
        sender.ledger().nextOrdinal(),
        sender.ledger().dataArrived(),
        sender.symbols().sourceWaits());
  }
}
