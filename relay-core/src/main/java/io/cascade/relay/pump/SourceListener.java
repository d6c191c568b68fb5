package io.cascade.relay.pump;

import io.netty.buffer.ByteBuf;

/** Takes what a source brings. On the source's event loop. */
public interface SourceListener {
  /** Bytes came; takes over the reference. */
  void received(ByteBuf bytes);

  /** The source's read loop is over: what was written may be flushed, and more may be read. */
  void readComplete();

  /** The source has finished in good order. */
  void sourceEnded();

  /** Whether the source is known to bring no more. */
  boolean hasSourceEnded();
}
