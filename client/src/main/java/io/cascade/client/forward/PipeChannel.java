package io.cascade.client.forward;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * The connection of a pipe, over TCP or over a coded session. Reads and writes wait; a close from
 * another thread ends them with an exception.
 */
public interface PipeChannel extends ReadableByteChannel {
  /** Writes all octets of all buffers, one buffer after the other. */
  void write(ByteBuffer... octets) throws IOException;

  /** Ends the output behind what was written. */
  void shutdownOutput() throws IOException;

  /** Closes it in order: what was written before the output was ended still arrives. */
  @Override
  void close() throws IOException;

  /** Drops it with everything that it has not delivered. */
  void reset();
}
