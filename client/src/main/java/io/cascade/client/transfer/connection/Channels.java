package io.cascade.client.transfer.connection;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** Complete reads and writes on blocking channels, and descriptions of their failures. */
public final class Channels {
  private Channels() {}

  /**
   * Fills the buffer up to its limit.
   *
   * @throws EOFException where the channel ended before
   */
  public static void readFully(ReadableByteChannel in, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (in.read(into) < 0) {
        throw new EOFException("ended " + into.remaining() + " bytes early");
      }
    }
  }

  /** Writes all remaining bytes of the buffer. */
  public static void writeFully(WritableByteChannel out, ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      out.write(from);
    }
  }

  /**
   * Describes a connection's failure, as the end of a sentence.
   *
   * @param failure of an established connection, not of a file
   */
  public static String fate(IOException failure, StallGuard guard) {
    if (guard.stalled()) {
      return "no byte moved for " + guard.patience().toSeconds() + " s";
    }
    if (failure instanceof EOFException) {
      return "the connection was ended";
    }
    if (failure instanceof AsynchronousCloseException) {
      return "given up by this end";
    }
    String told = failure.getMessage();
    return told == null ? "the connection broke" : "the connection broke (%s)".formatted(told);
  }
}
