package io.cascade.kernel.tcp;

/** Cause that keeps a connection from sending faster. */
public enum SendingLimit {
  /** Congestion control, and with it the path. */
  NETWORK,
  /** Window of the peer. */
  RECEIVER,
  /** Own send buffer. */
  SENDER_BUFFER,
  /** Lack of data: the connection was idle. */
  APPLICATION
}
