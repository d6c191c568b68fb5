package io.cascade.relay.pump;

import io.netty.buffer.ByteBuf;

/** Receives a source's bytes and its end. Called on the source's event loop. */
public interface SourceListener {
  /** Bytes arrived; takes over the reference. */
  void received(ByteBuf bytes);

  /** The source's read loop is over: written bytes may be flushed, and more may be read. */
  void readComplete();

  /** The source has ended cleanly. */
  void sourceEnded();

  /** Whether the source is known to deliver no more. */
  boolean hasSourceEnded();
}
