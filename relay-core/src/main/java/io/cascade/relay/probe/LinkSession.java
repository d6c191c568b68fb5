package io.cascade.relay.probe;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sender's half of a STAMP session: the probes to one peer and their outcomes.
 *
 * <p>A probe is settled when it was answered, or when it was unanswered for {@code max(2 s, 4
 * SRTT)}, always in the order of sending. The direction in which an unanswered one was lost follows
 * from the reflector's numbers around it: if the answers to probes 7 and 10 are numbered 41 and 43,
 * two probes are unanswered and one number is missing, so one probe was lost on the way there and
 * one answer on the way back. Lost probes that are followed by no answer, as in an outage, count as
 * lost on the way there after the same time once more. An answer that arrives after its probe was
 * settled is too late and counts as lost on the way back.
 *
 * <p>Probes that were lost in a row are one loss event, since a congestion control reacts to a
 * burst as to a single loss. More than {@value #LONGEST_BURST} are an outage, in which each is an
 * event.
 *
 * <p>A restarted reflector numbers from 0 again, which a repeated number shows. Not thread-safe;
 * the time is passed in.
 */
final class LinkSession {
  private static final long LEAST_TIMEOUT_NANOS = 2_000_000_000L;
  private static final int TIMEOUT_RTTS = 4;

  /** Number of probes: those of two seconds at the usual interval. */
  static final int LONGEST_BURST = 20;

  private static final int MASK = SequenceWindow.SIZE - 1;

  private final String peer;
  private final InetSocketAddress target;
  private final short id;
  private final long startedNanos;

  /** Time of the last answer; before that, the beginning. */
  private long answeredNanos;

  private final @Nullable Probe[] probes = new Probe[SequenceWindow.SIZE];
  private int next;
  private int unsettled;

  private final SequenceWindow reflected = new SequenceWindow();
  private int epoch;
  private int lastEpoch = -1;
  private int lastReflected;
  private long undirected;
  private long undirectedSinceNanos;

  private final RoundTripTime rtt = new RoundTripTime();
  private Totals totals = Totals.NONE;
  private Totals delivered = Totals.NONE;
  private long freshMinNanos = Long.MAX_VALUE;
  private long undeliveredMinNanos = Long.MAX_VALUE;

  LinkSession(String peer, InetSocketAddress target, short id, long startedNanos) {
    this.peer = peer;
    this.target = target;
    this.id = id;
    this.startedNanos = startedNanos;
    this.answeredNanos = startedNanos;
  }

  InetSocketAddress target() {
    return target;
  }

  short id() {
    return id;
  }

  long ageNanos(long nowNanos) {
    return nowNanos - startedNanos;
  }

  /**
   * Returns the next probe, which counts as sent at this moment.
   *
   * @param timestamp T1, in NTP's format
   */
  StampPacket.Test send(long nowNanos, long timestamp) {
    if (next - unsettled == SequenceWindow.SIZE) {
      giveUp(eldest(), nowNanos);
    }
    probes[next & MASK] = new Probe(nowNanos, timestamp);
    return new StampPacket.Test(next++, timestamp, StampPacket.ERROR_ESTIMATE, id);
  }

  /**
   * @return whether it answers an unsettled probe
   */
  boolean answered(StampPacket.Reflected answer, long nowNanos) {
    int sequence = answer.testSequence();
    if (next - sequence <= 0 || next - sequence > SequenceWindow.SIZE) {
      return false;
    }
    Probe probe = probes[sequence & MASK];
    if (probe == null || probe.timestamp != answer.testTimestamp() || probe.fate == Fate.LOST) {
      return false;
    }
    SequenceWindow.Place place = reflected.mark(answer.sequence());
    if (probe.fate == Fate.ANSWERED) {
      return false; // the network duplicated the probe or its answer
    }
    if (place != SequenceWindow.Place.NEW) {
      epoch++;
      reflected.clear();
      reflected.mark(answer.sequence());
    }
    answeredNanos = nowNanos;
    probe.fate = Fate.ANSWERED;
    probe.epoch = epoch;
    probe.reflected = answer.sequence();
    sample(nowNanos - probe.sentNanos, answer.dwellNanos());
    settle(nowNanos);
    return true;
  }

  /** Time since the last answer, or since the beginning. */
  long silenceNanos(long nowNanos) {
    return nowNanos - answeredNanos;
  }

  /** Settles the probes that have waited too long. */
  void expire(long nowNanos) {
    settle(nowNanos);
    if (undirected > 0 && nowNanos - undirectedSinceNanos >= timeoutNanos()) {
      totals = totals.plus(lost(undirected, 0));
      undirected = 0;
    }
  }

  /** The report that is not delivered yet; null if it is empty. */
  @Nullable LinkMeasurement undelivered() {
    undeliveredMinNanos = Math.min(undeliveredMinNanos, freshMinNanos);
    freshMinNanos = Long.MAX_VALUE;
    Totals delta = totals.minus(delivered);
    boolean sampled = undeliveredMinNanos != Long.MAX_VALUE;
    if (delta.settled() == 0 && !sampled) {
      return null;
    }
    return LinkMeasurement.builder()
        .peer(peer)
        .sent(delta.settled())
        .received(delta.received)
        .lost(delta.lostThere)
        .returnLost(delta.lostBack)
        .minRttMillis(sampled ? millis((double) undeliveredMinNanos) : null)
        .smoothedRttMillis(sampled ? millis(rtt.smoothedNanos()) : null)
        .jitterMillis(sampled ? millis(rtt.deviationNanos()) : null)
        .lossEvents(delta.lossEvents)
        .build();
  }

  Totals totals() {
    return totals;
  }

  /** Records that the counts up to here were delivered. */
  void delivered(Totals upTo) {
    if (upTo.settled() >= delivered.settled()) {
      delivered = upTo;
      undeliveredMinNanos = Long.MAX_VALUE;
    }
  }

  long timeoutNanos() {
    return Math.max(LEAST_TIMEOUT_NANOS, (long) (TIMEOUT_RTTS * rtt.smoothedNanos()));
  }

  private void sample(long elapsedNanos, long dwellNanos) {
    // A dwell longer than the whole round trip means that the reflector's clock was set meanwhile.
    long dwell = dwellNanos > elapsedNanos ? 0 : dwellNanos;
    long nanos = Math.max(1_000, elapsedNanos - dwell);
    rtt.sample(nanos);
    freshMinNanos = Math.min(freshMinNanos, nanos);
  }

  private void settle(long nowNanos) {
    while (unsettled != next) {
      Probe probe = eldest();
      if (probe.fate == Fate.ANSWERED) {
        direct(probe);
        totals = totals.plus(Totals.RECEIVED);
        unsettled++;
      } else if (nowNanos - probe.sentNanos >= timeoutNanos()) {
        giveUp(probe, nowNanos);
      } else {
        return;
      }
    }
  }

  /** The oldest unsettled probe; there must be one. */
  private Probe eldest() {
    return Objects.requireNonNull(probes[unsettled & MASK]);
  }

  private void giveUp(Probe probe, long nowNanos) {
    if (probe.fate == Fate.ANSWERED) {
      throw new IllegalStateException("an answered probe is settled, not given up");
    }
    probe.fate = Fate.LOST;
    if (undirected++ == 0) {
      undirectedSinceNanos = nowNanos;
    }
    unsettled++;
  }

  /**
   * Determines in which direction the probes between the last answered one and this one were lost.
   */
  private void direct(Probe answered) {
    int from = answered.epoch == lastEpoch ? lastReflected : -1;
    if (undirected > 0) {
      long missing = Math.max(0, reflected.takeUnseenBetween(from, answered.reflected));
      long back = Math.min(missing, undirected);
      totals = totals.plus(lost(undirected - back, back));
      undirected = 0;
    }
    lastEpoch = answered.epoch;
    lastReflected = answered.reflected;
  }

  /** Totals of consecutive lost probes. */
  private static Totals lost(long there, long back) {
    return new Totals(0, there, back, there > LONGEST_BURST ? there : Math.min(there, 1));
  }

  private static double millis(double nanos) {
    return Math.round(nanos / 1_000) / 1_000.0;
  }

  private enum Fate {
    OPEN,
    ANSWERED,
    LOST
  }

  private static final class Probe {
    private final long sentNanos;
    private final long timestamp;
    private Fate fate = Fate.OPEN;
    private int epoch;
    private int reflected;

    Probe(long sentNanos, long timestamp) {
      this.sentNanos = sentNanos;
      this.timestamp = timestamp;
    }
  }

  /**
   * Totals of the settled probes, since the session began.
   *
   * @param lossEvents number of loss events on the way there
   */
  record Totals(long received, long lostThere, long lostBack, long lossEvents) {
    static final Totals NONE = new Totals(0, 0, 0, 0);
    static final Totals RECEIVED = new Totals(1, 0, 0, 0);

    long settled() {
      return received + lostThere + lostBack;
    }

    Totals plus(Totals other) {
      return new Totals(
          received + other.received,
          lostThere + other.lostThere,
          lostBack + other.lostBack,
          lossEvents + other.lossEvents);
    }

    Totals minus(Totals other) {
      return new Totals(
          received - other.received,
          lostThere - other.lostThere,
          lostBack - other.lostBack,
          lossEvents - other.lossEvents);
    }
  }
}
