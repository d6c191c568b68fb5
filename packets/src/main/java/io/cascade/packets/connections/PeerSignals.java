package io.cascade.packets.connections;

import io.cascade.packets.connections.PeerState.Event;

/** Signals about one connection, to the far side and by it. */
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

  /** The operator says that there is a peer. */
  public void assume() {
    peer = PeerState.ASSUMED;
  }

  /** Something was said. */
  public void on(Event event) {
    peer = peer.on(event);
  }

  /** SYNs that went out with an offer. */
  public int offers() {
    return offers;
  }

  /** A SYN goes out with an offer. */
  public void offered() {
    offers++;
  }

  /** Acknowledgments that went out with a confirmation. */
  public int confirmations() {
    return confirmations;
  }

  /** An acknowledgment goes out with a confirmation. */
  public void confirmed() {
    confirmations++;
  }

  /** Value that the peer offered with. */
  public int token() {
    return token;
  }

  /** The peer offered, with a token. */
  public void offeredBy(int peersToken) {
    token = peersToken;
  }

  /** Messages that asked. */
  public int questions() {
    return questions;
  }

  /** Returns when a message asked last. */
  public long askedNanos() {
    return askedNanos;
  }

  /** A message asks. */
  public void asked(long nowNanos) {
    questions++;
    askedNanos = nowNanos;
  }
}
