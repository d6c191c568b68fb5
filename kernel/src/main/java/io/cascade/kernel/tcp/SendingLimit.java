package io.cascade.kernel.tcp;

/** Cause that keeps a connection from sending faster. */
public enum SendingLimit {
  /** Congestion control, and so the path. */
  NETWORK,
  /** The peer's window. */
  RECEIVER,
  /** The send buffer. */
  SENDER_BUFFER,
  /** Lack of data: the connection was idle. */
  APPLICATION
}
