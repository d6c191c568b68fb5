package io.cascade.coding.crypto;

import io.cascade.coding.crypto.RaceState.Event;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The handshake at the end that begins it, by two ways: over UDP, and, where that has not answered
 * in its head start, over a TCP connection beside it. The way that agrees first is taken. The two
 * handshakes have connection ids of their own and one key of agreement, so that the acceptor drops
 * the other one as soon as it hears which was taken.
 *
 * <p>The head start is long enough for several lost answers, so that TCP is where UDP is blocked
 * and not where it loses. Knows no socket and no clock. Used by one thread.
 */
public final class DiallingRace {
  /** Time for which UDP is tried alone: for five HELLOs of full length. */
  public static final long HEAD_START_NANOS = 500_000_000;

  /** Time for which UDP is tried. */
  public static final long UDP_NANOS = 1_000_000_000;

  /** Time for which TCP is tried, its connection included. */
  public static final long TCP_NANOS = 2_000_000_000;

  /** The handshake over UDP takes an id and, with shorter datagrams, the next. */
  private static final int UDP_IDS = 2;

  private final byte[] key;
  private final byte[] name;
  private final int tcpId;
  private final int datagramBytes;
  private final AgreementKey own = new AgreementKey();
  private final Dialling udp;
  private final long headStartEndNanos;
  private @Nullable Dialling tcp;
  private long tcpEndNanos;
  private RaceState state = RaceState.UDP_FIRST;

  /**
   * @param key that both ends have, 32 bytes
   * @param name by which the peer finds it, 64 bytes at most
   * @param connectionId the first of three that the peer may write into its datagrams
   * @param datagramBytes longest datagram wanted, {@link Dialling#LEAST_DATAGRAM_BYTES} at least
   */
  public DiallingRace(byte[] key, byte[] name, int connectionId, int datagramBytes, long nowNanos) {
    this(key, name, connectionId, datagramBytes, UDP_NANOS, nowNanos);
  }

  /**
   * A race whose first runner has another time.
   *
   * @param udpNanos time that UDP has for an answer
   */
  public DiallingRace(
      byte[] key, byte[] name, int connectionId, int datagramBytes, long udpNanos, long nowNanos) {
    this.key = key.clone();
    this.name = name.clone();
    this.tcpId = connectionId + UDP_IDS;
    this.datagramBytes = datagramBytes;
    this.headStartEndNanos = nowNanos + HEAD_START_NANOS;
    this.udp =
        new Dialling(
            key,
            name,
            connectionId,
            datagramBytes,
            own,
            Dialling.Repetition.SHORTER_LATER,
            nowNanos,
            nowNanos + udpNanos);
  }

  public RaceState state() {
    return state;
  }

  /** Returns what was agreed on; null before. */
  public @Nullable Agreement agreement() {
    Dialling over = tcp;
    return switch (state) {
      case OVER_UDP -> udp.agreement();
      case OVER_TCP -> over == null ? null : over.agreement();
      case UDP_FIRST, BOTH, UDP_ALONE, TCP_ALONE, NOBODY -> null;
    };
  }

  private void move(Event event, long nowNanos) {
    boolean triedTcp = state.triesTcp();
    state = state.after(event);
    if (state.triesTcp() && !triedTcp) {
      tcpEndNanos = nowNanos + TCP_NANOS;
    }
  }

  /**
   * The datagram to send over UDP now; null where none is due. Moves the state with time: {@link
   * RaceState#triesTcp} says whether a connection is wanted.
   */
  public byte @Nullable [] poll(long nowNanos) {
    if (nowNanos - headStartEndNanos >= 0) {
      move(Event.HEAD_START_OVER, nowNanos);
    }
    byte[] hello = state.triesUdp() ? udp.poll(nowNanos) : null;
    if (udp.state() == DiallingState.FAILED) {
      move(Event.UDP_FAILED, nowNanos);
    }
    if (state.triesTcp() && nowNanos - tcpEndNanos >= 0) {
      move(Event.TCP_FAILED, nowNanos);
    }
    return hello;
  }

  /** Takes a datagram that came over UDP; what answers nothing is ignored. */
  public void onDatagram(ByteBuffer datagram, long nowNanos) {
    if (state.triesUdp()) {
      udp.onDatagram(datagram, nowNanos);
      if (udp.state() == DiallingState.AGREED) {
        move(Event.UDP_AGREED, nowNanos);
      }
    }
  }

  /** The datagram to send over the connection, which stands; null where none is due. */
  public byte @Nullable [] pollConnection(long nowNanos) {
    if (!state.triesTcp()) {
      return null;
    }
    Dialling over = tcp;
    if (over == null) {
      over =
          new Dialling(
              key,
              name,
              tcpId,
              datagramBytes,
              own,
              Dialling.Repetition.NONE,
              nowNanos,
              tcpEndNanos);
      tcp = over;
    }
    return over.poll(nowNanos);
  }

  /** Takes a datagram that came over the connection; what answers nothing is ignored. */
  public void onConnectionDatagram(ByteBuffer datagram, long nowNanos) {
    Dialling over = tcp;
    if (state.triesTcp() && over != null) {
      over.onDatagram(datagram, nowNanos);
      if (over.state() == DiallingState.AGREED) {
        move(Event.TCP_AGREED, nowNanos);
      }
    }
  }

  /** Says that the connection could not be made, or that the peer has closed it. */
  public void connectionFailed(long nowNanos) {
    move(Event.TCP_FAILED, nowNanos);
  }

  /** Ends it as if nobody had answered. */
  public void cancel(long nowNanos) {
    move(Event.CANCEL, nowNanos);
  }

  /** Returns when to {@link #poll} again; a time that has passed means now. */
  public long nextNanos() {
    long ofUdp = state.triesUdp() ? udp.nextNanos() : Long.MAX_VALUE;
    return switch (state) {
      case UDP_FIRST -> earlier(ofUdp, headStartEndNanos);
      case BOTH -> earlier(ofUdp, tcpEndNanos);
      case UDP_ALONE -> ofUdp;
      case TCP_ALONE -> tcpEndNanos;
      case OVER_UDP, OVER_TCP, NOBODY -> Long.MAX_VALUE;
    };
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
