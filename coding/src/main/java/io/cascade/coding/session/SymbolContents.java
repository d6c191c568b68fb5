package io.cascade.coding.session;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;

/**
 * Contents of a session's symbols, where they are not one stream of bytes. Content is asked for
 * when a symbol may leave, and passed on as soon as a symbol is known, in any order: who wants an
 * order makes it. Every symbol arrives once, unless the session fails.
 *
 * <p>The first byte of a content is its type; {@code 0x08} and {@code 0x09} are the session's own.
 */
public interface SymbolContents {
  /** Whether there is content for a symbol. */
  boolean waits();

  /**
   * Writes the content of a symbol, one byte at least. Called only where content waits.
   *
   * @param symbol its id; ids grow
   * @param into with room for {@link SessionSettings#contentBytes}
   */
  void fill(long symbol, ByteBuffer into);

  /**
   * Takes the content of a symbol.
   *
   * @param content valid until the return
   * @throws Malformed where the peer breaks the format; the session is then given up
   */
  void arrived(ByteBuffer content) throws Malformed;

  /**
   * The peer has all symbols below one.
   *
   * @param roundTripNanos as smoothed by now
   */
  default void delivered(long below, long roundTripNanos) {}

  /** Whether as much is held as may be: the peer then gets no credit for more symbols. */
  default boolean isFull() {
    return false;
  }
}
