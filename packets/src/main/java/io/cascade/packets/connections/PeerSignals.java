package io.cascade.packets.connections;

import io.cascade.packets.connections.PeerState.Event;

/** Signals about one connection, sent and received. */
public final class PeerSignals {
  private PeerState peer = PeerState.UNKNOWN;
  private int offers;
  private int confirmations;
  private int token;
  private int questions;
  private long askedNanos;

  public PeerState peer() {
    return peer;
  }

  /** The operator states that there is a peer. */
  public void assume() {
    peer = PeerState.ASSUMED;
  }

  /** A signal was exchanged. */
  public void on(Event event) {
    peer = peer.on(event);
  }

  /** Number of SYNs that were sent with an offer. */
  public int offers() {
    return offers;
  }

  /** A SYN is sent with an offer. */
  public void offered() {
    offers++;
  }

  /** Number of acknowledgments that were sent with a confirmation. */
  public int confirmations() {
    return confirmations;
  }

  /** An acknowledgment is sent with a confirmation. */
  public void confirmed() {
    confirmations++;
  }

  /** Token of the peer's offer. */
  public int token() {
    return token;
  }

  /** The peer has sent an offer with a token. */
  public void offeredBy(int peersToken) {
    token = peersToken;
  }

  /** Number of messages that asked for a peer. */
  public int questions() {
    return questions;
  }

  /** Returns when a message last asked for a peer. */
  public long askedNanos() {
    return askedNanos;
  }

  /** A message asks for a peer. */
  public void asked(long nowNanos) {
    questions++;
    askedNanos = nowNanos;
  }
}
