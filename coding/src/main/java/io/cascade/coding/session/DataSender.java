package io.cascade.coding.session;

import io.cascade.coding.control.RateController;
import io.cascade.coding.loss.LossEstimator;
import io.cascade.coding.redundancy.Choice;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.redundancy.SendingView;
import io.cascade.coding.window.Cover;
import io.cascade.coding.window.GapSet;
import io.cascade.coding.window.RlcCoefficients;
import io.cascade.coding.window.WindowEncoder;
import io.cascade.coding.wire.AckFrame;
import io.cascade.coding.wire.PacketHeader;
import io.cascade.coding.wire.PacketType;
import io.cascade.coding.wire.RepairHeader;
import io.cascade.coding.wire.SourceHeader;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a session: decides when a data packet is sent and what it carries, by the
 * rate controller, the redundancy policy and the receiver's reports.
 */
final class DataSender implements PacketLedger.Fates {
  /**
   * Length of the longest train with which delayed packets may catch up, as a share of a round
   * trip.
   */
  private static final int CATCH_UP_SHARE = 16;

  private static final long LEAST_CATCH_UP_NANOS = 1_000_000;
  private static final long MOST_CATCH_UP_NANOS = 8_000_000;
  private static final int PROBES = 2;
  private static final long MOST_DELAY_MICROS = 1_000_000;
  private static final int SILENT_TIMEOUTS = 2;
  private static final double SILENT_WINDOW = 4;
  private static final int STUCK_ROUND_TRIPS = 6;
  private static final int MEAN_SKIP_PACKETS = 1_000;
  private static final double HIGHEST_LOSS = 0.9;

  private final SessionSettings settings;
  private RateController controller;
  private final RedundancyPolicy policy;
  private final @Nullable SymbolContents contents;
  private final SendingSymbols symbols;
  private final WindowEncoder encoder;
  private final PacketLedger ledger = new PacketLedger();
  private final LossEstimator loss = new LossEstimator();
  private final RoundTrip roundTrip = new RoundTrip();
  private final Cover cover = new Cover();
  private final SplittableRandom random;

  private GapSet gaps = GapSet.EMPTY;
  private long ackNumber = -1;
  private long reportedPacket = -1;
  private long seen;
  private long receiverMicros = -1;

  private long nextSendNanos = Long.MIN_VALUE / 2;
  private long probeNanos = Long.MAX_VALUE;
  private long floorNanos;
  private long repeatedNanos;
  private int timeouts;
  private int probes;
  private boolean pingWanted;
  private int repairKey;
  private Choice planned = Choice.NOTHING;

  /** Ordinal of the first packet that is reported to the controller. */
  private long controllersFirst;

  /** Whether packets arrive, and in order: then no repairs are needed in advance. */
  private boolean isReliable;

  private final AnswerWatch answers;

  private long sourcesSent;
  private long repairsSent;
  private long repeatsSent;

  DataSender(
      SessionSettings settings,
      RateController controller,
      RedundancyPolicy policy,
      @Nullable SymbolContents contents,
      long nowNanos) {
    this.answers = new AnswerWatch(nowNanos);
    this.settings = settings;
    this.contents = contents;
    this.controller = controller;
    this.policy = policy;
    this.symbols = new SendingSymbols(settings, contents);
    this.encoder = new WindowEncoder(symbols.ring());
    this.random = new SplittableRandom(settings.seed());
  }

  SendingSymbols symbols() {
    return symbols;
  }

  PacketLedger ledger() {
    return ledger;
  }

  RoundTrip roundTrip() {
    return roundTrip;
  }

  LossEstimator loss() {
    return loss;
  }

  RateController controller() {
    return controller;
  }

  long sourcesSent() {
    return sourcesSent;
  }

  long repairsSent() {
    return repairsSent;
  }

  long repeatsSent() {
    return repeatsSent;
  }

  /** Whether the receiver may lack symbols, or must still grant credit. */
  boolean isOutstanding() {
    return symbols.floor() < symbols.next() || symbols.waitsForCredit();
  }

  /** Takes an acknowledgement; one that is older than the newest only reports packets. */
  void onAck(AckFrame ack, long nowNanos) {
    long receivedNanos = unwrap(ack.receiveMicros()) * 1_000;
    long before = ledger.largestArrived();
    long dataBefore = ledger.dataArrived();
    long sample =
        ledger.acknowledged(ack, receivedNanos, nowNanos, roundTrip.smoothedNanos(), this);
    if (sample >= 0) {
      // Bounded by the measured time, whatever the peer claims.
      sample =
          Math.max(sample / 2, sample - Math.min(ack.delayMicros(), MOST_DELAY_MICROS) * 1_000);
      roundTrip.note(sample);
    }
    boolean progress = ledger.largestArrived() > before;
    boolean hasData = ledger.dataArrived() > dataBefore;
    if (ackNumber < 0 || (int) (ack.number() - ackNumber) > 0) {
      ackNumber = ack.number();
      long floor = symbols.floor();
      symbols.reported(ack.lowestMissing(), ack.credit());
      if (symbols.floor() > floor) {
        floorNanos = nowNanos;
        progress = true;
        if (contents != null) {
          contents.delivered(symbols.floor(), roundTrip.smoothedNanos());
        }
      }
      seen = Math.max(seen, Math.min(ack.seen(), symbols.next()));
      gaps = isSent(ack.gaps()) ? ack.gaps() : GapSet.EMPTY;
      reportedPacket = Math.max(reportedPacket, ack.largestPacket());
    }
    answers.answered(nowNanos, hasData, symbols.floor() == symbols.next());
    if (timeouts >= SILENT_TIMEOUTS && ledger.largestArrived() > before && !hasData) {
      // The peer has received the request for an acknowledgement, but none of the longer packets
      // before it.
      answers.foundBlackHole();
    }
    if (progress) {
      timeouts = 0;
      probes = 0;
      rearm(nowNanos);
    }
    controller.onFeedback(nowNanos, sample, ledger.inFlight());
  }

  /**
   * Whether all symbols of a set were sent and are still kept, as they always are for an honest
   * receiver.
   */
  private boolean isSent(GapSet set) {
    int ranges = set.ranges();
    return ranges == 0
        || (set.first(0) >= symbols.floor()
            && set.first(ranges - 1) + set.length(ranges - 1) <= symbols.next());
  }

  /** Extends the receiver's clock, which wraps every 71 minutes. */
  private long unwrap(long micros) {
    if (receiverMicros < 0) {
      receiverMicros = micros;
      return micros;
    }
    long value = receiverMicros + (int) (micros - receiverMicros);
    receiverMicros = Math.max(receiverMicros, value);
    return value;
  }

  @Override
  public void arrived(long ordinal, long sentNanos, long delayNanos) {
    if (ordinal >= controllersFirst) {
      controller.onArrived(ordinal - controllersFirst, sentNanos, delayNanos);
    }
  }

  @Override
  public void lost(long ordinal, long symbol) {
    if (ordinal >= controllersFirst) {
      controller.onLost(ordinal - controllersFirst);
    }
    symbolLost(symbol);
  }

  @Override
  public void abandoned(long ordinal, long symbol) {
    if (ordinal >= controllersFirst) {
      controller.onAbandoned(ordinal - controllersFirst);
    }
    symbolLost(symbol);
  }

  private void symbolLost(long symbol) {
    if (symbol != PacketLedger.NO_SYMBOL) {
      policy.onSymbolLost(symbol);
    }
  }

  @Override
  public void settled(boolean wasLost) {
    if (!isReliable) {
      loss.note(wasLost);
    }
  }

  /**
   * Changes the carrier: packets in flight may be lost, which says nothing about the new carrier.
   *
   * @param newController for the new carrier, in its initial state
   * @param reliable whether packets arrive, and in order
   */
  void wayChanged(RateController newController, boolean reliable, long nowNanos) {
    ledger.abandonInFlight(this);
    controller = newController;
    controllersFirst = ledger.nextOrdinal();
    isReliable = reliable;
    startAnew(nowNanos);
  }

  /** Considers packets in flight lost, since they were too long for the path. */
  void pathShrank(long nowNanos) {
    ledger.abandonInFlight(this);
    startAnew(nowNanos);
  }

  private void startAnew(long nowNanos) {
    answers.wayChanged();
    timeouts = 0;
    probes = 0;
    nextSendNanos = nowNanos;
    pingWanted = true;
    rearm(nowNanos);
  }

  AnswerWatch answers() {
    return answers;
  }

  private SendingView view() {
    return new SendingView(
        symbols.next(),
        symbols.floor(),
        seen,
        gaps,
        reportedPacket,
        ledger.next(),
        ledger.unreported(),
        ledger.inFlight(),
        symbols.sourceWaits(),
        isReliable ? 0 : Math.min(HIGHEST_LOSS, loss.lossRate()),
        loss.burstPackets(),
        controller.packetsPerSecond());
  }

  /**
   * Whether the receiver has lacked the same symbol for long: then it is repeated uncoded, so that
   * no state of the decoder can stall the stream forever.
   */
  private boolean isStuck(long nowNanos) {
    return symbols.floor() < symbols.next()
        && nowNanos - Math.max(floorNanos, repeatedNanos)
            > STUCK_ROUND_TRIPS * roundTrip.smoothedNanos();
  }

  /** Chooses what to send next; a policy that records its choices is not asked twice. */
  private Choice plan() {
    boolean isKept =
        policy.remembers() && (planned instanceof Choice.Again || planned instanceof Choice.Repair);
    if (!isKept) {
      planned = policy.choose(view());
    }
    return planned;
  }

  /**
   * Writes a data packet if one is due.
   *
   * @return whether one was written
   */
  boolean poll(long nowNanos, ByteBuffer out) {
    onTime(nowNanos);
    if (!ledger.hasRoom()) {
      return false;
    }
    if (probes > 0) {
      Choice choice = plan();
      planned = Choice.NOTHING;
      if (choice instanceof Choice.Nothing) {
        choice = policy.probe(view());
      }
      if (choice instanceof Choice.Nothing) {
        probes = 0;
        pingWanted = true;
        return false;
      }
      probes--;
      return send(choice, nowNanos, out);
    }
    if (nowNanos < nextSendNanos || ledger.inFlight() + 1 > window()) {
      return false;
    }
    Choice choice;
    if (isStuck(nowNanos)) {
      repeatedNanos = nowNanos;
      choice = new Choice.Again(symbols.floor());
    } else {
      choice = plan();
      planned = Choice.NOTHING;
    }
    if (!send(choice, nowNanos, out)) {
      return false;
    }
    if (probeNanos == Long.MAX_VALUE) {
      rearm(nowNanos);
    }
    long interval = (long) (1e9 / controller.packetsPerSecond());
    nextSendNanos = Math.max(nextSendNanos, nowNanos - catchUpNanos()) + interval;
    return true;
  }

  private long catchUpNanos() {
    return Math.clamp(
        roundTrip.smoothedNanos() / CATCH_UP_SHARE, LEAST_CATCH_UP_NANOS, MOST_CATCH_UP_NANOS);
  }

  private void onTime(long nowNanos) {
    if (probeNanos == Long.MAX_VALUE) {
      rearm(nowNanos);
    }
    if (nowNanos >= probeNanos) {
      timeouts++;
      probes = PROBES;
      controller.onTimeout(timeouts);
      ledger.findLost(nowNanos, roundTrip.smoothedNanos(), this);
      if (timeouts >= SILENT_TIMEOUTS) {
        pingWanted = true; // Short, so it tells a path that shrank from one that failed.
        ledger.giveUpBefore(nowNanos - 2 * roundTrip.smoothedNanos(), this);
      }
      rearm(nowNanos);
    }
  }

  /** Most packets in flight; few while nothing is received, since otherwise all would be lost. */
  private double window() {
    double window = controller.windowPackets();
    return timeouts >= SILENT_TIMEOUTS ? Math.min(SILENT_WINDOW, window) : window;
  }

  private void rearm(long nowNanos) {
    // Lost repairs that are no longer needed also fill the window and delay later packets.
    boolean isArmed =
        !isReliable && (isOutstanding() || (ledger.inFlight() > 0 && symbols.sourceWaits()));
    probeNanos = isArmed ? nowNanos + roundTrip.probeTimeoutNanos(timeouts) : Long.MAX_VALUE;
  }

  /** Sends a request for an acknowledgement. */
  void wantPing() {
    pingWanted = true;
  }

  /**
   * Whether a time-out found only a request for an acknowledgement to send; cleared by the call.
   */
  boolean takePing(long nowNanos) {
    boolean wanted = pingWanted;
    pingWanted = false;
    if (wanted) {
      answers.asked(nowNanos);
    }
    return wanted;
  }

  /** Returns when {@link #poll} may have something to do. */
  long nextNanos() {
    if (probes > 0 || pingWanted) {
      return Long.MIN_VALUE;
    }
    boolean mayOffer =
        ledger.inFlight() + 1 <= window()
            && ledger.hasRoom()
            && !(plan() instanceof Choice.Nothing);
    return mayOffer ? Math.min(probeNanos, nextSendNanos) : probeNanos;
  }

  private boolean send(Choice choice, long nowNanos, ByteBuffer out) {
    switch (choice) {
      case Choice.Nothing _ -> {
        return false;
      }
      case Choice.Source _ -> {
        sourcesSent++;
        if (symbols.floor() == symbols.next()) {
          floorNanos = nowNanos; // Nothing was outstanding until now.
        }
        source(symbols.send(), nowNanos, out);
      }
      case Choice.Again again -> {
        repeatsSent++;
        policy.onSymbolRepeated(again.id());
        source(again.id(), nowNanos, out);
      }
      case Choice.Repair repair -> {
        repairsSent++;
        repair(repair, nowNanos, out);
      }
    }
    return true;
  }

  private void source(long id, long nowNanos, ByteBuffer out) {
    byte[] symbol = symbols.ring().get(id);
    int length = ((symbol[0] & 0xff) << 8) | (symbol[1] & 0xff);
    header(PacketType.SOURCE, nowNanos, id, out);
    new SourceHeader(id, length).write(out);
    out.put(symbol, SendingSymbols.LENGTH_BYTES, length);
  }

  private void repair(Choice.Repair repair, long nowNanos, ByteBuffer out) {
    repairKey = (repairKey + 1) & 0xffff;
    boolean withGaps = repair.gaps() && gaps.size() > 0;
    RepairHeader header =
        new RepairHeader(
            withGaps ? ackNumber : RepairHeader.NO_GAPS,
            repairKey,
            RlcCoefficients.DENSE,
            repair.count(),
            repair.first());
    cover.set(
        withGaps ? gaps : GapSet.EMPTY,
        repair.first(),
        repair.count(),
        repairKey,
        header.density());
    header(header.type(), nowNanos, PacketLedger.NO_SYMBOL, out);
    header.write(out);
    out.put(encoder.encode(cover));
  }

  private void header(PacketType type, long nowNanos, long symbol, ByteBuffer out) {
    if (random.nextInt(MEAN_SKIP_PACKETS) == 0) {
      ledger.skip();
    }
    long number = ledger.next();
    controller.onSent(nowNanos, ledger.sentData(nowNanos, symbol) - controllersFirst);
    answers.asked(nowNanos);
    if (symbols.floor() < symbols.next()) {
      answers.sentData(nowNanos);
    }
    new PacketHeader(type, settings.remoteConnectionId(), number)
        .write(out, ledger.largestArrived());
  }

  /** Writes the header of a packet of frames. */
  void controlHeader(long nowNanos, ByteBuffer out) {
    new PacketHeader(PacketType.CONTROL, settings.remoteConnectionId(), ledger.next())
        .write(out, ledger.largestArrived());
    ledger.sentControl(nowNanos);
  }
}
