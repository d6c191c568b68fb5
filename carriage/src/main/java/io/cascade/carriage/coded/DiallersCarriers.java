package io.cascade.carriage.coded;

import io.cascade.carriage.coded.CarrierState.Event;
import io.cascade.carriage.transport.DatagramCarrier;
import io.cascade.coding.control.CarrierBound;
import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.session.AnswerWatch;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a session's carrier at the dialling end. Probes the peer from time to time. If UDP is
 * silent, or does not deliver the data of either end, it dials TCP, and uses the connection once
 * the peer has proved there that it holds the session's keys and UDP has not recovered. Later it
 * tries UDP again; at once if the session began over TCP, since a handshake's answers may be lost
 * by chance. The peer follows.
 */
@SuppressWarnings("ReferenceEquality") // of carriers, which have no equality but identity
final class DiallersCarriers implements SessionCarriers {
  private static final int SILENT_TIMEOUTS = 3;

  /**
   * Consecutive connections that the peer closes while UDP is silent, after which it does not know
   * the session.
   */
  private static final int MOST_TURNED_AWAY = 2;

  /** A peer whose data does not arrive reports that five times a second. */
  private static final long WANTED_NANOS = 1_000_000_000;

  private static final long MOST_COMPARING_NANOS = 6_000_000_000L;
  private static final long ASK_NANOS = 500_000_000;
  private static final long FIRST_REDIAL_NANOS = 1_000_000_000;
  private static final long LAST_REDIAL_NANOS = 30_000_000_000L;
  private static final long RETRY_ANSWER_NANOS = 1_500_000_000;
  private static final long LEAVE_NANOS = 3_000_000_000L;

  /** Time until UDP is tried a second time if the session began over TCP. */
  private static final long BEGUN_RETRY_NANOS = 1_000_000_000;

  private static final Logger LOG = Logger.getLogger(DiallersCarriers.class.getName());

  private final EventLoop loop;
  private final CodedLink link;
  private final CarrierTimes times;
  private final TcpDial dial;
  private final String peer;
  private final UdpMemory memory;
  private CarrierState state = CarrierState.UDP;
  private Fault fault = Fault.SILENT;
  private @Nullable TcpCarrier tcp;
  private boolean isAsked;
  private int turnedAway;
  private long challenge;
  private long silentNanos;
  private long dialNanos;
  private long redialNanos = FIRST_REDIAL_NANOS;
  private long retryNanos;
  private long retryWaitNanos;
  private long retryEndNanos;
  private long wantedNanos;
  private final PolicingWatch policing = new PolicingWatch();
  private @Nullable CarrierTrial trial;

  /** Whether the comparison, or the change that followed it, concerns this end's data. */
  private boolean isOwn;

  private boolean isProved;
  private long comparingEndNanos;
  private volatile @Nullable String why;

  /** Reason for leaving UDP. */
  private enum Fault {
    /** UDP gets no answers. */
    SILENT("UDP to %s stopped answering, the session continues over TCP"),
    /** UDP gets answers, but this end's data does not arrive. */
    DATA_LOST("UDP to %s delivers no data, the session continues over TCP"),
    /** UDP gets answers, but the peer's data does not arrive. */
    PEERS_DATA_LOST("UDP from %s delivers no data, the session continues over TCP"),
    /** An earlier session has left UDP for a reason that is remembered. */
    REMEMBERED("");

    private final String words;

    Fault(String words) {
      this.words = words;
    }
  }

  /**
   * @param peer its name, for messages
   * @param memory shared by all sessions with the peer
   */
  DiallersCarriers(
      EventLoop loop,
      CodedLink link,
      CarrierTimes times,
      TcpDial dial,
      String peer,
      UdpMemory memory) {
    this.memory = memory;
    this.loop = loop;
    this.link = link;
    this.times = times;
    this.dial = dial;
    this.peer = peer;
    this.retryWaitNanos = times.firstRetry().toNanos();
  }

  /** Begins over TCP, since the handshake was answered there and not over UDP. */
  void beginOver(TcpCarrier carrier) {
    tcp = carrier;
    move(Event.UDP_SILENT);
    goOver(
        Event.TCP_PROVED,
        carrier,
        "UDP to " + peer + " did not answer, the session began over TCP");
    retryNanos = System.nanoTime();
    retryWaitNanos = Math.min(BEGUN_RETRY_NANOS, times.firstRetry().toNanos());
  }

  private boolean move(Event event) {
    CarrierState before = state;
    state = state.after(event);
    return state != before;
  }

  @Override
  public void look(long now) {
    switch (state) {
      case UDP -> {
        watchUdp(now);
        if (policing.isDue(now, link.session().account())) {
          compare(true, now);
        }
      }
      case COMPARING -> {
        watchUdp(now);
        ready();
        if (now - comparingEndNanos >= 0) {
          noBetter(now);
        } else {
          judge(now);
        }
      }
      case PROBING -> {
        if (isUdpGood(now)) {
          backOnUdp();
        } else {
          if (fault != Fault.SILENT && isSilent(now)) {
            fault = Fault.SILENT;
            silentNanos = now;
          }
          link.ask();
          if (fault == Fault.SILENT && now - silentNanos > times.alone().toNanos()) {
            link.abandon();
          } else if (tcp == null && now - dialNanos >= 0) {
            dial(now);
          }
        }
      }
      case TCP -> {
        boolean isDue = now - retryNanos >= 0 && memory.whyNot(now) == null;
        if (isOwn && policing.isWorse(now, link.session().account())) {
          isOwn = false;
          policing.noBetter(now);
          memory.forget();
          retryNanos = now;
        }
        if (isDue && move(Event.RETRY_DUE)) {
          challenge = ThreadLocalRandom.current().nextLong();
          retryEndNanos = now + RETRY_ANSWER_NANOS;
          link.driver().challengeUdp(challenge);
        }
      }
      case TRYING_UDP -> {
        if (now - retryEndNanos < 0) {
          link.driver().challengeUdp(challenge);
        } else {
          move(Event.RETRY_FAILED);
          retryLater(now);
        }
      }
      case CLOSED -> {}
    }
  }

  /**
   * Detects failures of UDP. An end that only receives sends nothing that is acknowledged, so it
   * must request acknowledgements.
   */
  private void watchUdp(long now) {
    AnswerWatch answers = link.session().answers();
    if (link.isBusy() && now - answers.answeredNanos() > ASK_NANOS) {
      link.ask();
    }
    if (isSilent(now)) {
      leaveUdp(Fault.SILENT, now);
    } else if (times.isUndelivered(link.session(), now)) {
      leaveUdp(Fault.DATA_LOST, now);
    } else if (memory.whyNot(now) != null) {
      leaveUdp(Fault.REMEMBERED, now);
    }
  }

  private boolean isSilent(long now) {
    long patience =
        Math.max(times.silence().toNanos(), SILENT_TIMEOUTS * link.session().probeTimeoutNanos());
    return link.session().answers().unansweredNanos(now) > patience;
  }

  /** Whether the reason for leaving UDP no longer applies. */
  private boolean isUdpGood(long now) {
    AnswerWatch answers = link.session().answers();
    return switch (fault) {
      case SILENT -> answers.answeredNanos() - silentNanos > 0;
      case DATA_LOST -> answers.deliveredNanos() - silentNanos > 0;
      case PEERS_DATA_LOST -> now - wantedNanos > WANTED_NANOS;
      case REMEMBERED -> memory.whyNot(now) == null;
    };
  }

  private void leaveUdp(Fault reason, long now) {
    if (move(Event.UDP_SILENT)) {
      leaveConnection();
      isOwn = false;
      fault = reason;
      silentNanos = now;
      turnedAway = 0;
      redialNanos = FIRST_REDIAL_NANOS;
      dial(now);
    }
  }

  @Override
  public void tcpWanted(boolean instead) {
    long now = System.nanoTime();
    if (!instead) {
      if (state == CarrierState.UDP) {
        compare(false, now);
      }
      return;
    }
    wantedNanos = now;
    TcpCarrier compared = tcp;
    if (state == CarrierState.COMPARING && isProved && compared != null) {
      better(compared, now);
    } else {
      leaveUdp(Fault.PEERS_DATA_LOST, now);
    }
  }

  /**
   * Makes a connection to be compared with UDP.
   *
   * @param own whether the comparison concerns this end's data
   */
  private void compare(boolean own, long now) {
    if (move(Event.COMPARISON_DUE)) {
      isOwn = own;
      comparingEndNanos = now + MOST_COMPARING_NANOS;
      dial(now);
    }
  }

  /** Continues a comparison. */
  @Override
  public void ready() {
    CarrierTrial running = trial;
    if (running != null && state == CarrierState.COMPARING) {
      running.send();
    }
  }

  private void judge(long now) {
    CarrierTrial running = trial;
    if (running == null) {
      return;
    }
    switch (running.verdict(now)) {
      case NONE -> {}
      case BETTER -> better(running.carrier(), now);
      case NO_BETTER -> noBetter(now);
    }
  }

  private void better(TcpCarrier by, long now) {
    trial = null;
    policing.wayChanged();
    String words =
        "TCP to " + peer + " carries clearly more than UDP, the session continues over TCP";
    memory.left(words, now);
    goOver(Event.TCP_BETTER, by, words);
    retryLater(now);
  }

  private void noBetter(long now) {
    if (move(Event.TCP_NO_BETTER)) {
      if (isOwn) {
        policing.noBetter(now);
      }
      leaveConnection();
    }
  }

  private void leaveConnection() {
    trial = null;
    TcpCarrier left = tcp;
    tcp = null;
    if (left != null) {
      left.close();
    }
  }

  private void dial(long now) {
    dialNanos = now + redialNanos;
    redialNanos = Math.min(2 * redialNanos, LAST_REDIAL_NANOS);
    TcpCarrier carrier = new TcpCarrier(loop, link.arrivals());
    tcp = carrier;
    isAsked = false;
    isProved = false;
    Future<Channel> connecting = dial.connect(loop, carrier);
    connecting.addListener(_ -> {
      if (!connecting.isSuccess()) {
        lost(carrier);
      } else if (state.isDialling() && tcp == carrier) {
        carrier.begin(connecting.getNow(), Unpooled.EMPTY_BUFFER);
        challenge = ThreadLocalRandom.current().nextLong();
        isAsked = true;
        link.driver().challenge(carrier, challenge);
      } else {
        connecting.getNow().close();
      }
    });
  }

  @Override
  public void answered(DatagramCarrier by, long data) {
    CarrierTrial running = trial;
    if (running != null && by == running.carrier()) {
      long now = System.nanoTime();
      running.answered(data, now);
      judge(now);
      return;
    }
    if (data != challenge) {
      return;
    }
    TcpCarrier compared = tcp;
    if (by == compared && state == CarrierState.COMPARING) {
      isProved = true;
      if (isOwn) {
        double rate = policing.packetsPerSecond();
        trial = new CarrierTrial(link.driver(), compared, rate, System.nanoTime());
        ready();
      }
      return;
    }
    if (by == tcp && state == CarrierState.PROBING) {
      long now = System.nanoTime();
      if (isUdpGood(now)) {
        backOnUdp();
      } else {
        goOver(Event.TCP_PROVED, by, whyTcp(now));
        retryLater(now);
      }
    } else if (by == link.driver().socket() && state == CarrierState.TRYING_UDP) {
      backOnUdp();
    }
  }

  /** Returns the reason for leaving UDP. Reasons other than silence are remembered. */
  private String whyTcp(long now) {
    String known = memory.whyNot(now);
    if (fault == Fault.REMEMBERED && known != null) {
      return known;
    }
    String words = fault.words.formatted(peer);
    if (fault != Fault.SILENT) {
      memory.left(words, now);
    }
    return words;
  }

  private void goOver(Event event, DatagramCarrier by, String reason) {
    move(event);
    turnedAway = 0;
    why = reason;
    LOG.log(Level.INFO, "{0}", reason);
    link.carryBy(by, new CarrierBound());
  }

  private void retryLater(long now) {
    retryNanos = now + retryWaitNanos;
    retryWaitNanos = Math.min(2 * retryWaitNanos, times.lastRetry().toNanos());
  }

  private void backOnUdp() {
    boolean wasTcp = state.isTcp();
    move(Event.UDP_ANSWERED);
    why = null;
    TcpCarrier left = tcp;
    tcp = null;
    if (wasTcp) {
      LOG.log(Level.INFO, "UDP to {0} answers again, the session continues over UDP", peer);
      policing.wayChanged();
      link.carryBy(link.driver().socket(), new DelayCompete());
      retryWaitNanos = times.firstRetry().toNanos();
    }
    if (left != null) {
      // Data that the peer has already sent there may still arrive.
      loop.schedule(left::close, wasTcp ? LEAVE_NANOS : 0, TimeUnit.NANOSECONDS);
    }
  }

  /** A connection has ended, or could not be opened. */
  void lost(TcpCarrier carrier) {
    if (carrier != tcp) {
      return;
    }
    tcp = null;
    trial = null;
    if (state == CarrierState.COMPARING && isOwn) {
      policing.noBetter(System.nanoTime());
    }
    turnedAway += isAsked ? 1 : 0;
    boolean isUnknown = link.isDoubted() || turnedAway >= MOST_TURNED_AWAY;
    if (state == CarrierState.PROBING && fault == Fault.SILENT && isUnknown) {
      link.abandon(); // UDP's port is closed, and TCP reaches no process or another one.
      return;
    }
    boolean wasTcp = state.isTcp();
    move(Event.TCP_LOST);
    if (wasTcp) {
      long now = System.nanoTime();
      fault = memory.whyNot(now) == null ? Fault.SILENT : Fault.REMEMBERED;
      silentNanos = now;
      turnedAway = 0;
      dialNanos = now;
      redialNanos = FIRST_REDIAL_NANOS;
      why = null;
      link.carryBy(link.driver().socket(), new DelayCompete());
    }
  }

  @Override
  public void advanced(DatagramCarrier by) {}

  @Override
  public boolean hasOtherWay() {
    if (state == CarrierState.UDP) {
      leaveUdp(Fault.SILENT, System.nanoTime());
    }
    return tcp != null || state.isTcp();
  }

  @Override
  public @Nullable String why() {
    return why;
  }

  @Override
  public void close() {
    move(Event.CLOSE);
    TcpCarrier open = tcp;
    tcp = null;
    if (open != null) {
      open.close();
    }
  }
}
