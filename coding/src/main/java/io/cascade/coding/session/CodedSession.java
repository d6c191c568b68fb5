package io.cascade.coding.session;

import io.cascade.coding.control.RateController;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.wire.Frame;
import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.PacketHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One end of an established session: a reliable stream of bytes each way, or {@link SymbolContents}
 * such as many streams, over datagrams that may be lost, doubled, overtaken or made up. Knows no
 * socket and no clock: whoever owns it gives it datagrams and times, and asks for datagrams and
 * times.
 *
 * <pre>
 * onDatagram(bytes, received)          what arrives
 * poll(now, buffer)                    what to send now; again until it has nothing
 * nextNanos()                          when to poll again, if nothing else happens first
 * offer, end, read, reset              the stream
 * </pre>
 *
 * Times are nanoseconds of one monotonic clock, which the peer's need not agree with. Used by one
 * thread. Holds at most three windows of symbols, 1,024 equations and 256 sets of gaps.
 */
public final class CodedSession {
  /** Value of {@link #nextNanos}: nothing to do until something happens. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int MOST_RESETS = 8;

  /** A peer that has not heard the last acknowledgement asks once a time-out; many may be lost. */
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

  /** Listener to events on the ways that a session's datagrams take. */
  public interface PathEvents {
    PathEvents NONE = new PathEvents() {};

    /** The peer asks, by the way that this datagram came, whether this end is there. */
    default void challenged(long data, int datagramBytes) {}

    /** The peer answers a challenge. */
    default void answered(long data) {}

    /**
     * The peer's data does not get through over UDP.
     *
     * @param instead whether it wants TCP to carry the session; else to compare the two
     */
    default void tcpWanted(boolean instead) {}

    /**
     * The newest packet so far has come, and its sender uses the way that it came by: it is no
     * test.
     */
    default void advanced() {}
  }

  /**
   * @param controller for what this end sends
   * @param policy likewise
   */
  public CodedSession(
      SessionSettings settings, RateController controller, RedundancyPolicy policy, long nowNanos) {
    this(settings, controller, policy, null, nowNanos);
  }

  /**
   * @param contents what the session carries instead of one stream; null for one stream
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

  /** The code of a reset, ours or the peer's. */
  public long resetCode() {
    return resetCode;
  }

  /**
   * Takes bytes to send.
   *
   * @return how many; fewer than offered where the window is full
   */
  public int offer(ByteBuffer data) {
    return sending == SendingState.OPEN ? sender.symbols().offer(data) : 0;
  }

  /** Whether {@link #offer} would take a byte now. */
  public boolean hasRoom() {
    return sending == SendingState.OPEN && sender.symbols().hasRoom();
  }

  /** Symbols with content that the peer has not acknowledged, or that were not sent yet. */
  public long outstandingSymbols() {
    return sender.symbols().outstanding();
  }

  /** Says that no more bytes come; contents that still wait are sent before. */
  public void end() {
    if (sending == SendingState.OPEN) {
      sender.symbols().end();
      move(SendingState.Event.END);
    }
  }

  /**
   * Gives the session up, in both directions; the peer is told.
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

  /** Asks the peer for an acknowledgement, to see whether it is there. */
  public void ping() {
    if (state == SessionState.ESTABLISHED) {
      sender.wantPing();
    }
  }

  /** Ends it at once, as if nothing had been heard for too long: the peer is not told. */
  public void abandon() {
    if (state == SessionState.ESTABLISHED) {
      giveUp(SessionState.Event.SILENCE, CloseReason.SILENCE);
    }
  }

  /** Tells of the ways that datagrams take from now on. */
  public void tell(PathEvents of) {
    paths = of;
  }

  /**
   * Sends datagrams by another way from now on. Symbols, credit and streams are the same; what is
   * in flight counts as lost.
   *
   * @param controller for the new way, which has seen nothing yet
   * @param reliable whether what is sent that way arrives, and in order
   */
  public void wayChanged(RateController controller, boolean reliable, long nowNanos) {
    sender.wayChanged(controller, reliable, nowNanos);
  }

  /** Takes what is in flight for lost: it was too long for the path. */
  public void pathShrank(long nowNanos) {
    sender.pathShrank(nowNanos);
  }

  /** Returns what acknowledgements tell of the way that datagrams take. */
  public AnswerWatch answers() {
    return sender.answers();
  }

  /** Time that an answer may take. */
  public long probeTimeoutNanos() {
    return sender.roundTrip().probeTimeoutNanos(0);
  }

  /**
   * Writes a datagram about the way that it takes.
   *
   * @param frame that tests a way
   * @param bytes to make it as long as that, where it is shorter
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

  /** Returns when something of the peer arrived last. */
  public long heardNanos() {
    return lastHeardNanos;
  }

  /** Whether something was sent that the peer has not told to have. */
  public boolean isOutstanding() {
    return state == SessionState.ESTABLISHED && sender.isOutstanding();
  }

  /**
   * Copies bytes that have arrived in order.
   *
   * @return how many; 0 also at the end, which {@link #receiving} tells
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
   * Takes a datagram. Whatever does not follow the formats, or is not for this session, is dropped
   * and counted.
   *
   * @param receivedNanos when it arrived
   * @return whether it was taken; not where it came before, or where that is too long ago to tell
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

  /** Takes frames; whether all of them only test a way. */
  private boolean onFrames(PacketHeader header, ByteBuffer body, long nowNanos) throws Malformed {
    int length = body.limit();
    ByteBuffer check = body.duplicate();
    boolean isProbing = true;
    while (check.hasRemaining()) {
      isProbing &= Frame.read(check).isProbing(); // All or nothing.
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
          if (!wasChallenged) { // Once: the answer is as long as the datagram.
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
   * @return its length, or 0 where none is due
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

  /** Returns when to {@link #poll} again, or {@link #NEVER}; a time that has passed means now. */
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

  /** Account of the session so far. */
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
