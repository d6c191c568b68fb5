package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/**
 * Header before a source symbol's content in a SOURCE packet.
 *
 * <pre>
 *  symbol id u32 | length u16 | content, as many bytes
 * </pre>
 *
 * A symbol is coded as {@code length u16 ‖ content ‖ zeros}, always of the session's symbol size,
 * so that its length is recovered with it.
 *
 * @param id of the symbol, 0 to 2^32 − 1
 * @param length of its content in bytes
 */
public record SourceHeader(long id, int length) {
  public static final int BYTES = 6;

  public void write(ByteBuffer to) {
    to.putInt((int) id);
    to.putShort((short) length);
  }

  /**
   * Parses the header; the rest must be the content.
   *
   * @param mostBytes of content
   */
  public static SourceHeader read(ByteBuffer from, int mostBytes) throws Malformed {
    Wire.need(from, BYTES, "source header");
    int at = from.position();
    SourceHeader header = new SourceHeader(Wire.u32(from), Wire.u16(from));
    if (header.length > mostBytes || header.length != from.remaining()) {
      throw new Malformed("content of " + header.length, at);
    }
    return header;
  }
}
