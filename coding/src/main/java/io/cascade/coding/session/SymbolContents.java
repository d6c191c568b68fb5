package io.cascade.coding.session;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;

/**
 * Contents of a session's symbols, instead of one stream of bytes. Content is requested when a
 * symbol may be sent, and passed on as soon as a symbol is known, in any order; implementations
 * restore an order if they need one. Every symbol arrives once, unless the session fails.
 *
 * <p>The first byte of a content is its type; {@code 0x08} and {@code 0x09} are the session's own.
 */
public interface SymbolContents {
  /** Whether there is content for a symbol. */
  boolean waits();

  /**
   * Writes the content of a symbol, at least one byte. Called only while content waits.
   *
   * @param symbol its id; ids increase
   * @param into with room for {@link SessionSettings#contentBytes}
   */
  void fill(long symbol, ByteBuffer into);

  /**
   * Takes the content of a symbol.
   *
   * @param content valid until the call returns
   * @throws Malformed if the peer violates the format; then the session fails
   */
  void arrived(ByteBuffer content) throws Malformed;

  /**
   * The peer has all symbols below an id.
   *
   * @param roundTripNanos smoothed
   */
  default void delivered(long below, long roundTripNanos) {}

  /** Whether the bound on held bytes is reached: then the peer gets no credit for more symbols. */
  default boolean isFull() {
    return false;
  }
}
