package io.cascade.coding.crypto;

import io.cascade.coding.crypto.RaceState.Event;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The handshake at the dialling end, over two carriers: over UDP, and over a TCP connection as well
 * if UDP has not answered within its head start. The carrier that agrees first is used. The two
 * handshakes have separate connection ids and one agreement key, so that the acceptor drops the
 * other one as soon as it learns which was used.
 *
 * <p>The head start is long enough for several lost answers, so that TCP is used if UDP is blocked
 * and not if it loses packets. Uses no sockets and no clocks. Used by one thread.
 */
public final class DiallingRace {
  /** Time for which only UDP is tried: for five HELLOs of full length. */
  public static final long HEAD_START_NANOS = 500_000_000;

  /** Time for which UDP is tried. */
  public static final long UDP_NANOS = 1_000_000_000;

  /** Time for which TCP is tried, including opening its connection. */
  public static final long TCP_NANOS = 2_000_000_000;

  /** The handshake over UDP uses one id and, with shorter datagrams, the next. */
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
   * @param key that both ends hold, 32 bytes
   * @param name by which the peer finds it, 64 bytes at most
   * @param connectionId the first of three that the peer may write into its datagrams
   * @param datagramBytes longest requested datagram, at least {@link Dialling#LEAST_DATAGRAM_BYTES}
   */
  public DiallingRace(byte[] key, byte[] name, int connectionId, int datagramBytes, long nowNanos) {
    this(key, name, connectionId, datagramBytes, UDP_NANOS, nowNanos);
  }

  /**
   * Makes a race with another time for UDP.
   *
   * @param udpNanos time for an answer over UDP
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

  /** Returns the agreement; null before there is one. */
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
   * Returns the datagram to send over UDP now; null if none is due. Changes the state with time:
   * {@link RaceState#triesTcp} tells whether a connection is needed.
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

  /** Takes a datagram received over UDP; ignores anything but an answer. */
  public void onDatagram(ByteBuffer datagram, long nowNanos) {
    if (state.triesUdp()) {
      udp.onDatagram(datagram, nowNanos);
      if (udp.state() == DiallingState.AGREED) {
        move(Event.UDP_AGREED, nowNanos);
      }
    }
  }

  /** Returns the datagram to send over the open connection; null if none is due. */
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

  /** Takes a datagram received over the connection; ignores anything but an answer. */
  public void onConnectionDatagram(ByteBuffer datagram, long nowNanos) {
    Dialling over = tcp;
    if (state.triesTcp() && over != null) {
      over.onDatagram(datagram, nowNanos);
      if (over.state() == DiallingState.AGREED) {
        move(Event.TCP_AGREED, nowNanos);
      }
    }
  }

  /** The connection could not be opened, or the peer has closed it. */
  public void connectionFailed(long nowNanos) {
    move(Event.TCP_FAILED, nowNanos);
  }

  /** Ends the race as if no answer had arrived. */
  public void cancel(long nowNanos) {
    move(Event.CANCEL, nowNanos);
  }

  /** Returns when to {@link #poll} again; a time in the past means now. */
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
