package io.cascade.coding.session;

import io.cascade.coding.window.SymbolRing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing stream, divided into symbols: {@code length u16 ‖ type u8 ‖ data ‖ zeros}. Symbols
 * below {@code next} have been sent, those from there to {@code filled} wait; those below {@code
 * floor} are known to the receiver and may be overwritten.
 *
 * <p>If a session carries {@link SymbolContents}, a symbol is made when it is sent, so that none
 * waits.
 */
final class SendingSymbols {
  /** A symbol of the stream. */
  static final int DATA = 0x08;

  /** The last one. */
  static final int LAST_DATA = 0x09;

  static final int LENGTH_BYTES = 2;
  private static final int TYPE_BYTES = 1;

  /** Number of symbols below the floor to which a block code may return. */
  static final int KEPT_BEHIND = 256;

  private final SymbolRing ring;
  private final int dataBytes;
  private final @Nullable SymbolContents contents;
  private long floor;
  private long next;
  private long filled;
  private long credit;
  private int openBytes;
  private boolean endWanted;
  private boolean ended;

  /**
   * @param contents carried by the symbols; null for one stream of bytes
   */
  SendingSymbols(SessionSettings settings, @Nullable SymbolContents contents) {
    this.contents = contents;
    this.ring = new SymbolRing(settings.windowSymbols(), settings.symbolBytes());
    this.dataBytes = settings.contentBytes() - TYPE_BYTES;
    this.credit = (long) settings.windowSymbols() - KEPT_BEHIND;
  }

  SymbolRing ring() {
    return ring;
  }

  /** Accepts as many bytes as there is room for. */
  int offer(ByteBuffer data) {
    int taken = 0;
    while (contents == null && data.hasRemaining()) {
      if (openBytes == 0 && !hasRoom()) {
        break;
      }
      byte[] symbol = openBytes == 0 ? begin() : ring.get(filled - 1);
      int part = Math.min(data.remaining(), dataBytes - openBytes);
      data.get(symbol, LENGTH_BYTES + TYPE_BYTES + openBytes, part);
      openBytes += part;
      taken += part;
      finish(symbol, DATA);
      if (openBytes == dataBytes) {
        openBytes = 0;
      }
    }
    return taken;
  }

  /** Whether {@link #offer} would accept a byte. */
  boolean hasRoom() {
    return filled - floor < ring.capacity() - KEPT_BEHIND;
  }

  /** Ends the stream; needs a symbol, for which one is always reserved. */
  void end() {
    endWanted = true;
    if (contents == null) {
      makeEnd();
    }
  }

  private void makeEnd() {
    if (!ended) {
      ended = true;
      byte[] symbol = openBytes == 0 ? begin() : ring.get(filled - 1);
      finish(symbol, LAST_DATA);
      openBytes = 0;
    }
  }

  private void make(SymbolContents from) {
    if (!from.waits()) {
      makeEnd();
      return;
    }
    byte[] symbol = begin();
    ByteBuffer content = ByteBuffer.wrap(symbol, LENGTH_BYTES, TYPE_BYTES + dataBytes);
    from.fill(filled - 1, content);
    int length = content.position() - LENGTH_BYTES;
    symbol[0] = (byte) (length >> 8);
    symbol[1] = (byte) length;
  }

  private byte[] begin() {
    byte[] symbol = ring.put(filled++);
    Arrays.fill(symbol, (byte) 0);
    return symbol;
  }

  private void finish(byte[] symbol, int type) {
    int length = TYPE_BYTES + openBytes;
    symbol[0] = (byte) (length >> 8);
    symbol[1] = (byte) length;
    symbol[LENGTH_BYTES] = (byte) type;
  }

  /** Whether a symbol waits and the receiver's credit allows it. */
  boolean sourceWaits() {
    return next < credit && (next < filled || (contentWaits() && hasRoom()));
  }

  /** Whether a symbol waits for the receiver's credit. */
  boolean waitsForCredit() {
    return next >= credit && (next < filled || contentWaits());
  }

  private boolean contentWaits() {
    return contents != null && (contents.waits() || (endWanted && !ended));
  }

  /** Returns the id of the next source symbol, which counts as sent from then on. */
  long send() {
    if (next == filled && contents != null) {
      make(contents);
    }
    if (next == filled - 1) {
      openBytes = 0; // Its length was sent.
    }
    return next++;
  }

  /** The receiver knows all symbols below one id, and grants credit for those below another. */
  void reported(long lowestMissing, long newCredit) {
    floor = Math.max(floor, Math.min(lowestMissing, next));
    credit = Math.max(credit, newCredit);
  }

  long floor() {
    return floor;
  }

  long next() {
    return next;
  }

  /** Number of filled symbols that the receiver may lack. */
  long outstanding() {
    return filled - floor;
  }

  boolean allArrived() {
    return ended && floor == filled;
  }
}
