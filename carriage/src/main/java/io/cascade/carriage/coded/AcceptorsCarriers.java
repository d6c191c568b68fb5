package io.cascade.carriage.coded;

import io.cascade.carriage.transport.DatagramCarrier;
import io.cascade.coding.control.CarrierBound;
import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.wire.Frame;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a session's carrier at the accepting end: the one by which the newest packet arrived that
 * was no test (RFC 9000 §9.3), once its sender has answered a challenge there. So a datagram that
 * was recorded on the path and is sent from elsewhere changes nothing.
 *
 * <p>Keeps two carriers beside the one in use, and four connections on which no authentic datagram
 * has arrived; a further one replaces the oldest.
 */
@SuppressWarnings("ReferenceEquality") // of carriers, which have no equality but identity
final class AcceptorsCarriers implements SessionCarriers {
  private static final int MOST_WAYS = 3;
  private static final int MOST_WAITING = 4;
  private static final long AGAIN_NANOS = 200_000_000;
  private static final long PROVE_NANOS = 5_000_000_000L;

  private final CodedLink link;
  private final CarrierTimes times;
  private final ArrayDeque<Way> ways = new ArrayDeque<>();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final PolicingWatch policing = new PolicingWatch();
  private @Nullable DatagramCarrier wanted;
  private @Nullable CarrierTrial trial;
  private long askedNanos;
  private boolean isAsking;
  private volatile @Nullable String why;

  /** A carrier other than the session's own socket. */
  private static final class Way {
    private final DatagramCarrier carrier;
    private final long challenge = ThreadLocalRandom.current().nextLong();
    private final long sinceNanos;
    private long askedNanos;
    private boolean isProved;

    Way(DatagramCarrier carrier, long nowNanos) {
      this.carrier = carrier;
      this.sinceNanos = nowNanos;
      this.askedNanos = nowNanos - AGAIN_NANOS;
    }
  }

  /** A connection whose sender has named the session but proved nothing. */
  private record Waiting(TcpCarrier carrier, long sinceNanos) {}

  AcceptorsCarriers(CodedLink link, CarrierTimes times) {
    this.link = link;
    this.times = times;
  }

  /**
   * Begins on the connection over which the handshake came. The welcome that determines the keys
   * was sent there only, so the connection needs no challenge; the sender's UDP address is not
   * known yet.
   */
  void beginOver(TcpCarrier carrier) {
    Way way = new Way(carrier, System.nanoTime());
    way.isProved = true;
    ways.add(way);
    wanted = carrier;
    why = "the peer began over TCP";
    link.carryBy(carrier, new CarrierBound());
  }

  /** A connection's sender has named the session. */
  void began(TcpCarrier carrier) {
    waiting.add(new Waiting(carrier, System.nanoTime()));
    if (waiting.size() > MOST_WAITING) {
      waiting.remove().carrier().close();
    }
  }

  /** An authentic datagram has arrived over a carrier. */
  void heard(DatagramCarrier by) {
    long now = System.nanoTime();
    Way way = way(by);
    if (way == null) {
      waiting.removeIf(one -> one.carrier() == by);
      way = new Way(by, now);
      while (ways.size() >= MOST_WAYS) {
        drop();
      }
      ways.add(way);
    }
    if (!way.isProved && now - way.askedNanos >= AGAIN_NANOS) {
      way.askedNanos = now;
      // Shorter than the datagram that it answers, and sent once for it: no amplification.
      link.driver().challenge(by, way.challenge);
    }
  }

  private void drop() {
    Way oldest = ways.remove();
    if (oldest.carrier == link.driver().carrier() && ways.size() > 1) {
      ways.add(oldest);
      oldest = ways.remove();
    }
    if (oldest.carrier instanceof TcpCarrier tcp) {
      tcp.close();
    }
  }

  private @Nullable Way way(DatagramCarrier by) {
    for (Way way : ways) {
      if (way.carrier == by) {
        return way;
      }
    }
    return null;
  }

  /**
   * Returns the carrier to an address from which a datagram arrived before; null if there is none.
   */
  @Nullable StrayPath stray(InetSocketAddress from) {
    for (Way way : ways) {
      if (way.carrier instanceof StrayPath stray && stray.address().equals(from)) {
        return stray;
      }
    }
    return null;
  }

  @Override
  public void answered(DatagramCarrier by, long data) {
    CarrierTrial running = trial;
    if (running != null && by == running.carrier()) {
      running.answered(data, System.nanoTime());
    }
    Way way = way(by);
    if (way != null && data == way.challenge) {
      way.isProved = true;
      if (wanted == by) {
        moveTo(by);
      }
    }
  }

  @Override
  public void advanced(DatagramCarrier by) {
    wanted = by;
    Way way = way(by);
    if (by == link.driver().socket() || (way != null && way.isProved)) {
      moveTo(by);
    }
  }

  private void moveTo(DatagramCarrier by) {
    if (by instanceof StrayPath stray) {
      ways.removeIf(way -> way.carrier == by);
      why = null;
      link.peerMoved(stray.address());
    } else if (by != link.driver().carrier()) {
      boolean isTcp = by instanceof TcpCarrier;
      why = isTcp ? "the peer continues over TCP" : null;
      trial = null;
      isAsking = false;
      policing.wayChanged();
      link.carryBy(by, isTcp ? new CarrierBound() : new DelayCompete());
    }
  }

  /** A connection has ended. */
  void lost(TcpCarrier carrier) {
    waiting.removeIf(one -> one.carrier() == carrier);
    ways.removeIf(way -> way.carrier == carrier);
    CarrierTrial running = trial;
    if (running != null && running.carrier() == carrier) {
      noBetter(System.nanoTime());
    }
    if (carrier != link.driver().carrier()) {
      return;
    }
    if (!link.hasHeard()) {
      link.abandon(); // Its dialler has chosen another carrier, or none.
    } else {
      why = null;
      link.carryBy(link.driver().socket(), new DelayCompete());
    }
  }

  @Override
  public void look(long now) {
    SessionDriver driver = link.driver();
    if (driver.carrier() == driver.socket()) {
      if (times.isUndelivered(link.session(), now)) {
        driver.send(driver.socket(), new Frame.TcpWanted(true), 0); // This end cannot dial.
      } else if (policing.isDue(now, link.session().account())) {
        compare(now);
      }
    }
    Waiting oldest = waiting.peek();
    if (oldest != null && now - oldest.sinceNanos() > PROVE_NANOS) {
      oldest.carrier().close();
    }
    for (Way way : ways.toArray(new Way[0])) {
      if (!way.isProved && now - way.sinceNanos > PROVE_NANOS) {
        ways.remove(way);
        if (way.carrier instanceof TcpCarrier tcp) {
          tcp.close();
        }
      }
    }
  }

  /** Has the dialling end open a connection, and measures it. */
  private void compare(long now) {
    if (!isAsking) {
      isAsking = true;
      askedNanos = now;
    }
    CarrierTrial running = trial;
    if (running == null) {
      running = begun(now);
    }
    CarrierTrial.Verdict verdict =
        running == null ? CarrierTrial.Verdict.NONE : running.verdict(now);
    if (verdict == CarrierTrial.Verdict.NO_BETTER || now - askedNanos > PROVE_NANOS) {
      noBetter(now);
    } else if (running == null) {
      link.driver().send(link.driver().socket(), new Frame.TcpWanted(false), 0);
    } else if (verdict == CarrierTrial.Verdict.BETTER) {
      link.driver().send(running.carrier(), new Frame.TcpWanted(true), 0);
    } else {
      running.send();
    }
  }

  private @Nullable CarrierTrial begun(long now) {
    for (Way way : ways) {
      if (way.isProved && way.carrier instanceof TcpCarrier by && !by.isClosed()) {
        trial = new CarrierTrial(link.driver(), by, policing.packetsPerSecond(), now);
      }
    }
    return trial;
  }

  private void noBetter(long now) {
    trial = null;
    isAsking = false;
    policing.noBetter(now);
  }

  @Override
  public void ready() {
    CarrierTrial running = trial;
    if (running != null) {
      running.send();
    }
  }

  /** Does nothing: the dialling end decides. */
  @Override
  public void tcpWanted(boolean instead) {}

  @Override
  public boolean hasOtherWay() {
    return link.driver().carrier() instanceof TcpCarrier;
  }

  @Override
  public @Nullable String why() {
    return why;
  }

  @Override
  public void close() {
    for (Waiting one : waiting.toArray(new Waiting[0])) {
      one.carrier().close();
    }
    for (Way way : ways.toArray(new Way[0])) {
      if (way.carrier instanceof TcpCarrier tcp) {
        tcp.close();
      }
    }
    ways.clear();
  }
}
