package io.cascade.client.entries;

import static io.cascade.client.entries.PaxFormat.BLOCK;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a stream of {@link EntryEncoder}, in pieces of any size. It accepts only streams that the
 * encoder can produce. Holds one header, which is bounded.
 */
final class EntryDecoder {
  /** Receives the contents of the stream in order. */
  interface Listener {
    /**
     * Begins an entry. The content of a file follows.
     *
     * @param standing bytes at the beginning of the file that the receiver has and that do not
     *     follow
     * @param coming bytes that follow, without holes
     */
    void entry(Entry entry, long standing, long coming) throws IOException;

    /**
     * Some of a file's content, all of which is consumed. Offsets ascend, and gaps between them are
     * zeros.
     */
    void content(ByteBuffer bytes, long offset) throws IOException;

    /** The sender reports that the previous file is not what it was to be. */
    void spoilt(String reason) throws IOException;

    /** The sender asks what the receiver has of these entries, which are to come. */
    void ahead(List<Entry> entries) throws IOException;

    /**
     * Entries that the sender asked for, which the receiver has as a whole and which are not sent.
     *
     * @param first number of the first entry
     */
    void stand(long first, long count) throws IOException;

    /** All bytes of the entry have arrived. */
    void entryEnds() throws IOException;

    /** The archive is complete. */
    void end() throws IOException;
  }

  private enum State {
    HEADER,
    EXTENDED,
    GLOBAL,
    MAP,
    CONTENT,
    PADDING,
    SECOND_ZEROS,
    ENDED
  }

  private static final long MOST_SECONDS = 1L << 40;
  private static final int MOST_TIME_CHARS = 32;

  private final Listener listener;
  private final byte[] block = new byte[BLOCK];
  private final ByteBuffer header = ByteBuffer.wrap(block);
  private ByteBuffer records = ByteBuffer.allocate(0);
  private Map<String, String> extended = Map.of();
  private State state = State.HEADER;
  private long left;
  private int padding;
  private DataMap.@Nullable Reader reader;
  private @Nullable DataMap map;
  private int piece;
  private long offset;
  private @Nullable String path;

  EntryDecoder(Listener listener) {
    this.listener = listener;
  }

  /** Whether the end of the archive was decoded. */
  boolean hasEnded() {
    return state == State.ENDED;
  }

  /** The place in the stream, for messages. */
  String place() {
    return path == null ? "at its beginning" : "after " + path;
  }

  /**
   * Decodes all bytes of the buffer.
   *
   * @throws IOException where the stream is not one that the encoder produces, or the listener
   *     throws
   */
  void accept(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      switch (state) {
        case HEADER, SECOND_ZEROS -> {
          if (fill(header, bytes)) {
            header();
          }
        }
        case EXTENDED, GLOBAL -> {
          if (fill(records, bytes)) {
            records();
          }
        }
        case MAP -> {
          if (fill(header, bytes)) {
            map();
          }
        }
        case CONTENT -> content(bytes);
        case PADDING -> padding(bytes);
        case ENDED -> throw malformed("bytes follow its end");
      }
    }
  }

  private boolean fill(ByteBuffer into, ByteBuffer from) {
    int length = Math.min(into.remaining(), from.remaining());
    into.put(into.position(), from, from.position(), length);
    into.position(into.position() + length);
    from.position(from.position() + length);
    return !into.hasRemaining();
  }

  private void map() throws IOException {
    header.clear();
    left -= BLOCK;
    DataMap.Reader open = reader;
    try {
      map = open == null ? null : open.accept(block);
    } catch (IllegalArgumentException e) {
      throw malformed(e.getMessage() + "");
    }
    DataMap whole = map;
    if (whole == null && left > 0) {
      return;
    }
    if (whole == null || whole.bytes() != left) {
      throw malformed("a map of data that does not match what follows");
    }
    reader = null;
    piece = 0;
    offset = whole.count() == 0 ? 0 : whole.offset(0);
    state = State.CONTENT;
    if (left == 0) {
      contentEnds();
    }
  }

  private void content(ByteBuffer bytes) throws IOException {
    int length = (int) Math.min(left, bytes.remaining());
    DataMap sparse = map;
    if (sparse != null) {
      while (offset == sparse.offset(piece) + sparse.length(piece)) {
        offset = sparse.offset(++piece);
      }
      length = (int) Math.min(length, sparse.offset(piece) + sparse.length(piece) - offset);
    }
    ByteBuffer some = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    left -= length;
    listener.content(some, offset);
    offset += length;
    if (left == 0) {
      contentEnds();
    }
  }

  private void contentEnds() throws IOException {
    if (padding == 0) {
      state = State.HEADER;
      listener.entryEnds();
    } else {
      state = State.PADDING;
    }
  }

  private void padding(ByteBuffer bytes) throws IOException {
    int length = Math.min(padding, bytes.remaining());
    bytes.position(bytes.position() + length);
    padding -= length;
    if (padding == 0) {
      state = State.HEADER;
      listener.entryEnds();
    }
  }

  private void header() throws IOException {
    header.clear();
    boolean zeros = isZeros();
    if (state == State.SECOND_ZEROS) {
      if (!zeros) {
        throw malformed("an incomplete end");
      }
      state = State.ENDED;
      listener.end();
      return;
    }
    if (zeros) {
      if (!extended.isEmpty()) {
        throw malformed("an extended header without an entry");
      }
      state = State.SECOND_ZEROS;
      return;
    }
    if (number(PaxFormat.CHECKSUM, PaxFormat.SHORT_NUMBER) != PaxFormat.checksum(header, 0)) {
      throw malformed("the checksum of a header is wrong");
    }
    String magic =
        new String(
            block, PaxFormat.MAGIC, PaxFormat.MAGIC_TEXT.length(), StandardCharsets.ISO_8859_1);
    if (!magic.equals(PaxFormat.MAGIC_TEXT)) {
      throw malformed("a header that is not ustar");
    }
    char type = (char) (block[PaxFormat.TYPE] & 0xff);
    switch (type) {
      case PaxFormat.EXTENDED, PaxFormat.GLOBAL -> extendedBegins(type);
      case PaxFormat.FILE -> entry(Entry.Kind.FILE);
      case PaxFormat.FOLDER -> entry(Entry.Kind.FOLDER);
      case PaxFormat.LINK_TYPE -> entry(Entry.Kind.LINK);
      default -> throw malformed("an entry of type %d, which is not sent".formatted((int) type));
    }
  }

  private boolean isZeros() {
    for (byte one : block) {
      if (one != 0) {
        return false;
      }
    }
    return true;
  }

  private void extendedBegins(char type) throws IOException {
    long size = number(PaxFormat.SIZE, PaxFormat.LONG_NUMBER);
    if (!extended.isEmpty()) {
      throw malformed("an extended header after another one");
    }
    if (size == 0 || size > PaxFormat.MOST_EXTENDED_BYTES) {
      throw malformed("an extended header of " + size + " bytes");
    }
    records = ByteBuffer.allocate((int) size + PaxFormat.padding(size));
    left = size;
    state = type == PaxFormat.GLOBAL ? State.GLOBAL : State.EXTENDED;
  }

  private void records() throws IOException {
    byte[] bytes = new byte[(int) left];
    records.get(0, bytes);
    Map<String, String> all = parse(bytes);
    records = ByteBuffer.allocate(0);
    left = 0;
    boolean isGlobal = state == State.GLOBAL;
    state = State.HEADER;
    if (!isGlobal) {
      extended = all;
      return;
    }
    for (Map.Entry<String, String> one : all.entrySet()) {
      switch (one.getKey()) {
        case PaxFormat.SPOILT_KEY -> listener.spoilt(one.getValue());
        case PaxFormat.AHEAD_KEY -> ahead(one.getValue());
        case PaxFormat.STANDING_KEY -> stand(one.getValue());
        default -> throw malformed("an unknown keyword for all entries, " + one.getKey());
      }
    }
  }

  private void ahead(String list) throws IOException {
    List<Entry> entries;
    try {
      entries = EntryList.parse(list);
    } catch (IllegalArgumentException e) {
      throw malformed("an invalid list of entries ahead: " + e.getMessage());
    }
    listener.ahead(entries);
  }

  private void stand(String ranges) throws IOException {
    String[] numbers = ranges.split(" ", -1);
    if (numbers.length % 2 != 0) {
      throw malformed("an incomplete range");
    }
    for (int i = 0; i < numbers.length; i += 2) {
      listener.stand(decimal(numbers[i]), decimal(numbers[i + 1]));
    }
  }

  /** Parses the records of an extended header: "LENGTH KEY=VALUE\n". */
  private Map<String, String> parse(byte[] bytes) throws EntriesFailed {
    int length = bytes.length;
    Map<String, String> all = HashMap.newHashMap(4);
    int at = 0;
    while (at < length) {
      int space = at;
      int record = 0;
      while (space < length && bytes[space] >= '0' && bytes[space] <= '9' && space - at < 7) {
        record = record * 10 + bytes[space++] - '0';
      }
      int end = at + record;
      if (space >= length || bytes[space] != ' ' || end > length || end <= space + 1) {
        throw malformed("an extended header whose lengths are wrong");
      }
      int equals = space + 1;
      while (equals < end && bytes[equals] != '=') {
        equals++;
      }
      if (bytes[end - 1] != '\n' || equals >= end - 1) {
        throw malformed("an extended header without a value");
      }
      String key = text(bytes, space + 1, equals);
      if (all.put(key, text(bytes, equals + 1, end - 1)) != null) {
        throw malformed("an extended header that says " + key + " twice");
      }
      at = end;
    }
    return all;
  }

  private String text(byte[] bytes, int from, int to) throws EntriesFailed {
    return Names.utf8(ByteBuffer.wrap(bytes, from, to - from))
        .orElseThrow(() -> malformed("a text that is not UTF-8"));
  }

  private void entry(Entry.Kind kind) throws IOException {
    Map<String, String> said = extended;
    extended = Map.of();
    for (String key : said.keySet()) {
      switch (key) {
        case PaxFormat.PATH_KEY,
            PaxFormat.LINK_KEY,
            PaxFormat.SIZE_KEY,
            PaxFormat.TIME_KEY,
            PaxFormat.STANDING_KEY,
            PaxFormat.SPARSE_MAJOR_KEY,
            PaxFormat.SPARSE_MINOR_KEY,
            PaxFormat.SPARSE_SIZE_KEY -> {}
        default -> throw malformed("an unknown keyword for an entry, " + key);
      }
    }
    String name = said.getOrDefault(PaxFormat.PATH_KEY, path());
    if (kind == Entry.Kind.FOLDER && name.endsWith("/")) {
      name = name.substring(0, name.length() - 1);
    }
    String target =
        said.getOrDefault(PaxFormat.LINK_KEY, field(PaxFormat.LINK, PaxFormat.NAME_BYTES));
    String stored = said.get(PaxFormat.SIZE_KEY);
    long bytes = stored == null ? number(PaxFormat.SIZE, PaxFormat.LONG_NUMBER) : decimal(stored);
    String time = said.get(PaxFormat.TIME_KEY);
    Instant modified =
        time == null
            ? Instant.ofEpochSecond(number(PaxFormat.MTIME, PaxFormat.LONG_NUMBER), nanos())
            : instant(time);
    int mode = (int) number(PaxFormat.MODE, PaxFormat.SHORT_NUMBER) & 0777;
    if (kind != Entry.Kind.FILE && bytes != 0) {
      throw malformed("content of an entry that is not a file");
    }
    if ((kind == Entry.Kind.LINK) == target.isEmpty()) {
      throw malformed("a link without a target, or a target without a link");
    }
    long standing = decimal(said.getOrDefault(PaxFormat.STANDING_KEY, "0"));
    String whole = said.get(PaxFormat.SPARSE_SIZE_KEY);
    boolean isSparse =
        "1".equals(said.get(PaxFormat.SPARSE_MAJOR_KEY))
            && "0".equals(said.get(PaxFormat.SPARSE_MINOR_KEY));
    if (isSparse != (whole != null) || (kind != Entry.Kind.FILE && (isSparse || standing > 0))) {
      throw malformed("a sparse file of an unknown kind");
    }
    long size = whole == null ? standing + bytes : decimal(whole);
    if (standing > size) {
      throw malformed("more bytes present than the file has");
    }
    path = name;
    Entry entry = new Entry(name, kind, size, modified, mode, target);
    left = bytes;
    padding = PaxFormat.padding(bytes);
    map = null;
    reader = isSparse ? new DataMap.Reader(size) : null;
    offset = standing;
    state = isSparse ? State.MAP : bytes == 0 ? State.HEADER : State.CONTENT;
    if (isSparse && bytes < BLOCK) {
      throw malformed("a sparse file without a map");
    }
    listener.entry(entry, standing, bytes);
    if (bytes == 0) {
      listener.entryEnds();
    }
  }

  private String path() throws EntriesFailed {
    String first = field(PaxFormat.PREFIX, PaxFormat.PREFIX_BYTES);
    String last = field(PaxFormat.NAME, PaxFormat.NAME_BYTES);
    return first.isEmpty() ? last : first + "/" + last;
  }

  private long nanos() throws EntriesFailed {
    long nanos = block[PaxFormat.NANOS] == 0 ? 0 : number(PaxFormat.NANOS, PaxFormat.LONG_NUMBER);
    if (nanos >= 1_000_000_000) {
      throw malformed("a time out of range");
    }
    return nanos;
  }

  private String field(int from, int most) throws EntriesFailed {
    int end = from;
    while (end < from + most && block[end] != 0) {
      end++;
    }
    return text(block, from, end);
  }

  private long number(int from, int length) throws EntriesFailed {
    long number = 0;
    int digits = 0;
    for (int i = from; i < from + length && block[i] >= '0' && block[i] <= '7'; i++) {
      number = (number << 3) | (block[i] - '0');
      digits++;
    }
    if (digits == 0 || (digits < length && block[from + digits] != 0)) {
      throw malformed("a number that is not octal");
    }
    return number;
  }

  /** Parses a size or an offset, small enough that padding and headers can be added. */
  private long decimal(String text) throws EntriesFailed {
    if (text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw malformed("an invalid number");
    }
    return Long.parseLong(text);
  }

  private Instant instant(String text) throws EntriesFailed {
    try {
      if (text.length() > MOST_TIME_CHARS || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
        throw malformed("an invalid time");
      }
      BigDecimal time = new BigDecimal(text);
      long seconds = time.setScale(0, RoundingMode.FLOOR).longValueExact();
      if (Math.abs(seconds) > MOST_SECONDS) {
        throw malformed("a time out of range");
      }
      return Instant.ofEpochSecond(
          seconds, time.subtract(BigDecimal.valueOf(seconds)).movePointRight(9).longValue());
    } catch (NumberFormatException e) {
      throw malformed("an invalid time");
    } catch (ArithmeticException | DateTimeException e) {
      throw malformed("a time out of range");
    }
  }

  private EntriesFailed malformed(String what) {
    return new EntriesFailed(
        "the stream of entries is malformed %s: %s; fix: use the same version at both ends"
            .formatted(place(), what));
  }
}
