package io.cascade.coding.session;

import io.cascade.coding.window.Cover;
import io.cascade.coding.window.GapSet;
import io.cascade.coding.window.SeenMap;
import io.cascade.coding.window.SymbolRing;
import io.cascade.coding.window.WindowDecoder;
import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.RepairHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The incoming stream, symbol by symbol: stores what arrives, has the decoder recover what does
 * not, and passes data on in order.
 *
 * <pre>
 * UNKNOWN ─▶ MISSING ─▶ (in equations) ─▶ KNOWN ─▶ READ ─▶ FORGOTTEN
 * </pre>
 *
 * The ring holds twice the window: symbols that may still arrive, and after those symbols that
 * repairs may still cover.
 */
final class ReceivingSymbols {
  /** Number of gap sets that are stored: those of the newest acknowledgements. */
  static final int GAP_SETS = 256;

  /**
   * Most symbols in the range of a repair besides its gaps: twice what a sender uses, and a
   * block's. A larger range would let a peer cause much work with one datagram.
   */
  static final int MOST_TAIL = 256;

  private final int window;
  private final @Nullable SymbolContents contents;
  private final SymbolRing ring;
  private final SeenMap seen;
  private final WindowDecoder decoder;
  private final Cover cover = new Cover();
  private final @Nullable GapSet[] gapSets = new GapSet[GAP_SETS];
  private final long[] gapSetNumbers = new long[GAP_SETS];

  /** All symbols below this are known. */
  private long lowestMissing;

  /** One above the highest symbol that any packet has named. */
  private long end;

  private long nextRead;
  private long credit;
  private int readBytes;
  private long known;
  private boolean endArrived;
  private boolean corrupt;

  private long repairs;
  private long uselessRepairs;
  private long forgottenRepairs;

  /**
   * @param contents receives the contents of symbols; null for one stream of bytes
   */
  ReceivingSymbols(SessionSettings settings, @Nullable SymbolContents contents) {
    this.contents = contents;
    this.window = settings.windowSymbols();
    this.ring = new SymbolRing(2 * window, settings.symbolBytes());
    this.seen = new SeenMap(2 * window);
    this.decoder = new WindowDecoder(ring, seen);
    this.credit = (long) window - SendingSymbols.KEPT_BEHIND;
    Arrays.fill(gapSetNumbers, -1);
  }

  /** One above the highest named symbol. */
  long end() {
    return end;
  }

  long lowestMissing() {
    return lowestMissing;
  }

  /** Number of known symbols, and of equations over others. */
  long seen() {
    return known + decoder.equations();
  }

  /** The sender may send symbols below this; does not grow while no more can be held. */
  long credit() {
    if (contents == null || !contents.isFull()) {
      credit = nextRead + window - SendingSymbols.KEPT_BEHIND;
    }
    return credit;
  }

  /** Takes a source symbol; known symbols and those out of bounds are dropped. */
  void source(long id, ByteBuffer content) {
    if (isKnown(id) || id < 0 || id >= limit()) {
      return;
    }
    byte[] symbol = ring.put(id);
    int length = content.remaining();
    symbol[0] = (byte) (length >> 8);
    symbol[1] = (byte) length;
    content.get(symbol, SendingSymbols.LENGTH_BYTES, length);
    Arrays.fill(symbol, SendingSymbols.LENGTH_BYTES + length, symbol.length, (byte) 0);
    end = Math.max(end, id + 1);
    seen.note(id);
    known++;
    tell(id);
    known += decoder.known(id);
    tellRecovered();
    advance();
  }

  private void tellRecovered() {
    for (int i = 0; i < decoder.recovered(); i++) {
      tell(decoder.recovered(i));
    }
  }

  /** Passes on a symbol's content, at once and in any order. */
  private void tell(long id) {
    if (contents == null || corrupt) {
      return;
    }
    byte[] symbol = ring.get(id);
    int length = length(symbol);
    if (length < 1 || length > symbol.length - SendingSymbols.LENGTH_BYTES) {
      corrupt = true;
    } else if (symbol[SendingSymbols.LENGTH_BYTES] != SendingSymbols.LAST_DATA) {
      try {
        contents.arrived(ByteBuffer.wrap(symbol, SendingSymbols.LENGTH_BYTES, length));
      } catch (Malformed e) {
        corrupt = true;
      }
    }
  }

  /** Takes a repair; one that covers discarded symbols, or symbols out of bounds, is dropped. */
  void repair(RepairHeader header, long first, byte[] sum) {
    repairs++;
    GapSet gaps = gaps(header);
    boolean fits = first >= 0 && first + header.count() <= limit() && header.count() <= MOST_TAIL;
    if (gaps == null || !fits) {
      forgottenRepairs++;
      return;
    }
    cover.set(gaps, first, header.count(), header.repairKey(), header.density());
    if (cover.size() == 0 || cover.last() >= limit()) {
      forgottenRepairs++;
      return;
    }
    end = Math.max(end, cover.last() + 1);
    seen.extend(end);
    WindowDecoder.RepairEffect effect = decoder.repair(cover, sum, oldestKept());
    known += decoder.recovered();
    tellRecovered();
    switch (effect) {
      case USEFUL -> {}
      case REDUNDANT -> uselessRepairs++;
      case FORGOTTEN, OVERFLOWED -> forgottenRepairs++;
    }
    advance();
  }

  private @Nullable GapSet gaps(RepairHeader header) {
    if (header.acknowledgement() == RepairHeader.NO_GAPS) {
      return GapSet.EMPTY;
    }
    int at = (int) header.acknowledgement() & (GAP_SETS - 1);
    return gapSetNumbers[at] == header.acknowledgement() ? gapSets[at] : null;
  }

  private boolean isKnown(long id) {
    return id < lowestMissing || ring.holds(id);
  }

  /** Symbols from this one on are refused: an honest sender does not send them. */
  private long limit() {
    return contents == null
        ? Math.min(nextRead, lowestMissing) + window
        : credit + SendingSymbols.KEPT_BEHIND;
  }

  private long oldestKept() {
    return Math.max(0, end - 2L * window);
  }

  private void advance() {
    while (ring.holds(lowestMissing)) {
      byte[] symbol = ring.get(lowestMissing);
      int length = length(symbol);
      int type = symbol[SendingSymbols.LENGTH_BYTES];
      boolean last = type == SendingSymbols.LAST_DATA;
      if (length < 1
          || length > symbol.length - SendingSymbols.LENGTH_BYTES
          || endArrived
          || (!last && contents == null && type != SendingSymbols.DATA)) {
        corrupt = true;
        return;
      }
      endArrived = last;
      lowestMissing++;
      if (contents != null) {
        nextRead = lowestMissing;
      }
    }
  }

  private static int length(byte[] symbol) {
    return ((symbol[0] & 0xff) << 8) | (symbol[1] & 0xff);
  }

  /** Copies bytes that are next in order; returns their number. */
  int read(ByteBuffer into) {
    int copied = 0;
    while (contents == null && nextRead < lowestMissing) {
      byte[] symbol = ring.get(nextRead);
      int data = length(symbol) - 1;
      int part = Math.min(into.remaining(), data - readBytes);
      into.put(symbol, SendingSymbols.LENGTH_BYTES + 1 + readBytes, part);
      readBytes += part;
      copied += part;
      if (readBytes < data) {
        break;
      }
      readBytes = 0;
      nextRead++;
    }
    return copied;
  }

  /** Whether all symbols have arrived, including the last one. */
  boolean isComplete() {
    return endArrived;
  }

  boolean allRead() {
    return endArrived && nextRead == lowestMissing;
  }

  /** Whether the sender violated the format. */
  boolean isCorrupt() {
    return corrupt || decoder.contradictions() > 0;
  }

  /** Returns the unseen symbols, which are stored under an acknowledgement's number. */
  GapSet gaps(long acknowledgement) {
    long[] firsts = new long[GapSet.MOST_SYMBOLS];
    int[] lengths = new int[GapSet.MOST_SYMBOLS];
    int ranges = 0;
    int symbols = 0;
    long bound = end;
    for (long id = seen.nextUnseen(lowestMissing, bound);
        id < bound && symbols < GapSet.MOST_SYMBOLS;
        id = seen.nextUnseen(id + 1, bound)) {
      if (symbols++ == 0) {
        bound = Math.min(end, id + GapSet.MOST_SPAN);
      }
      if (ranges > 0 && firsts[ranges - 1] + lengths[ranges - 1] == id) {
        lengths[ranges - 1]++;
      } else {
        firsts[ranges] = id;
        lengths[ranges++] = 1;
      }
    }
    GapSet set = ranges == 0 ? GapSet.EMPTY : new GapSet(firsts, lengths, ranges);
    int at = (int) acknowledgement & (GAP_SETS - 1);
    gapSets[at] = set;
    gapSetNumbers[at] = acknowledgement;
    return set;
  }

  long repairs() {
    return repairs;
  }

  /** Number of repairs without new information. */
  long uselessRepairs() {
    return uselessRepairs;
  }

  /** Number of repairs that could not be used. */
  long forgottenRepairs() {
    return forgottenRepairs;
  }
}
