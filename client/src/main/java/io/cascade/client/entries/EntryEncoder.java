package io.cascade.client.entries;

import static io.cascade.client.entries.PaxFormat.BLOCK;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Encodes headers of a pax archive. What a header field cannot express is written into an extended
 * header before it: long names and those beyond ASCII, sizes of 8 GiB and more, times before 1970.
 */
final class EntryEncoder {
  /** Two blocks of zeros end an archive. */
  static final int END_BYTES = 2 * BLOCK;

  private static final int CONTROL_MODE = 0644;

  private EntryEncoder() {}

  /** Header of an entry, which precedes its content. */
  static ByteBuffer header(Entry entry) {
    return header(entry, 0, null, entry.size());
  }

  /**
   * Header of a file of which only a part is sent.
   *
   * @param standing bytes at its beginning that the receiver has
   * @param map the ranges behind those that hold data; null where there are no holes
   * @param stored bytes that follow, the map among them
   */
  static ByteBuffer header(Entry entry, long standing, @Nullable DataMap map, long stored) {
    byte[] records = records(entry, standing, map, stored);
    ByteBuffer all = ByteBuffer.allocate(extendedBytes(records.length) + BLOCK);
    if (records.length > 0) {
      putExtended(all, PaxFormat.EXTENDED, records);
    }
    boolean folder = entry.kind() == Entry.Kind.FOLDER;
    char type =
        switch (entry.kind()) {
          case FILE -> PaxFormat.FILE;
          case FOLDER -> PaxFormat.FOLDER;
          case LINK -> PaxFormat.LINK_TYPE;
        };
    putBlock(
        all,
        folder ? entry.path() + "/" : entry.path(),
        entry.mode(),
        stored <= PaxFormat.MOST_OCTAL ? stored : 0,
        entry.modified(),
        type,
        entry.target());
    return all.flip();
  }

  /**
   * A message to the receiver of this stream. Other programs skip keys that they do not know.
   *
   * @param key {@link PaxFormat#SPOILT_KEY}, {@link PaxFormat#AHEAD_KEY} or {@link
   *     PaxFormat#STANDING_KEY}
   */
  static ByteBuffer control(String key, String value) {
    byte[] record = record(key, value).getBytes(StandardCharsets.UTF_8);
    ByteBuffer all = ByteBuffer.allocate(extendedBytes(record.length));
    putExtended(all, PaxFormat.GLOBAL, record);
    return all.flip();
  }

  static ByteBuffer end() {
    return ByteBuffer.allocate(END_BYTES);
  }

  private static int extendedBytes(int records) {
    return records == 0 ? 0 : BLOCK + records + PaxFormat.padding(records);
  }

  private static byte[] records(Entry entry, long standing, @Nullable DataMap map, long stored) {
    StringBuilder text = new StringBuilder();
    String path = entry.kind() == Entry.Kind.FOLDER ? entry.path() + "/" : entry.path();
    if (!Names.isAscii(path) || (path.length() > PaxFormat.NAME_BYTES && prefix(path) == 0)) {
      text.append(record(PaxFormat.PATH_KEY, entry.path()));
    }
    if (!fits(entry.target(), PaxFormat.NAME_BYTES)) {
      text.append(record(PaxFormat.LINK_KEY, entry.target()));
    }
    if (stored > PaxFormat.MOST_OCTAL) {
      text.append(record(PaxFormat.SIZE_KEY, Long.toString(stored)));
    }
    if (standing > 0) {
      text.append(record(PaxFormat.STANDING_KEY, Long.toString(standing)));
    }
    if (map != null) {
      text.append(record(PaxFormat.SPARSE_MAJOR_KEY, "1"))
          .append(record(PaxFormat.SPARSE_MINOR_KEY, "0"))
          .append(record(PaxFormat.SPARSE_SIZE_KEY, Long.toString(entry.size())));
    }
    Instant time = entry.modified();
    if (time.getEpochSecond() != octal(time.getEpochSecond())) {
      BigDecimal seconds =
          BigDecimal.valueOf(time.getEpochSecond()).add(BigDecimal.valueOf(time.getNano(), 9));
      text.append(record(PaxFormat.TIME_KEY, seconds.toPlainString()));
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Length of the first part of a path of two parts, each of which fits into its field; 0 where the
   * path fits undivided, or cannot be divided so.
   */
  private static int prefix(String path) {
    if (path.length() <= PaxFormat.NAME_BYTES) {
      return 0;
    }
    int first = path.indexOf('/', path.length() - PaxFormat.NAME_BYTES - 1);
    boolean splits = first > 0 && first <= PaxFormat.PREFIX_BYTES && first < path.length() - 1;
    return splits && Names.isAscii(path) ? first : 0;
  }

  private static boolean fits(String text, int most) {
    return text.length() <= most && Names.isAscii(text);
  }

  /** The number, limited to what a field's octal digits can express. */
  private static long octal(long number) {
    return Math.clamp(number, 0, PaxFormat.MOST_OCTAL);
  }

  /** "LENGTH KEY=VALUE\n", where the length counts its own digits. */
  private static String record(String key, String value) {
    int rest = Names.bytes(key) + Names.bytes(value) + 3;
    int length = rest + Integer.toString(rest).length();
    if (Integer.toString(length).length() > Integer.toString(rest).length()) {
      length++;
    }
    return length + " " + key + "=" + value + "\n";
  }

  private static void putExtended(ByteBuffer all, char type, byte[] records) {
    putBlock(all, "PaxHeaders", CONTROL_MODE, records.length, Instant.EPOCH, type, "");
    all.put(records);
    all.position(all.position() + PaxFormat.padding(records.length));
  }

  private static void putBlock(
      ByteBuffer all, String path, int mode, long size, Instant time, char type, String target) {
    int at = all.position();
    long seconds = time.getEpochSecond();
    int nanos = time.getNano();
    int prefix = prefix(path);
    putText(all, at + PaxFormat.PREFIX, path.substring(0, prefix), PaxFormat.PREFIX_BYTES);
    String name = prefix == 0 ? path : path.substring(prefix + 1);
    putText(all, at + PaxFormat.NAME, name, PaxFormat.NAME_BYTES);
    putOctal(all, at + PaxFormat.MODE, PaxFormat.SHORT_NUMBER, mode);
    putOctal(all, at + PaxFormat.UID, PaxFormat.SHORT_NUMBER, 0);
    putOctal(all, at + PaxFormat.GID, PaxFormat.SHORT_NUMBER, 0);
    putOctal(all, at + PaxFormat.SIZE, PaxFormat.LONG_NUMBER, size);
    putOctal(all, at + PaxFormat.MTIME, PaxFormat.LONG_NUMBER, octal(seconds));
    if (nanos != 0) {
      putOctal(all, at + PaxFormat.NANOS, PaxFormat.LONG_NUMBER, nanos);
    }
    all.put(at + PaxFormat.TYPE, (byte) type);
    putText(all, at + PaxFormat.LINK, target, PaxFormat.NAME_BYTES);
    putText(all, at + PaxFormat.MAGIC, PaxFormat.MAGIC_TEXT, PaxFormat.NAME_BYTES);
    // Six digits, a zero and a space.
    putOctal(all, at + PaxFormat.CHECKSUM, PaxFormat.SHORT_NUMBER - 1, PaxFormat.checksum(all, at));
    all.put(at + PaxFormat.CHECKSUM + PaxFormat.SHORT_NUMBER - 1, (byte) ' ');
    all.position(at + BLOCK);
  }

  private static void putText(ByteBuffer all, int at, String text, int most) {
    int length = Math.min(text.length(), most);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      all.put(at + i, (byte) (c < 128 ? c : '?')); // The full name is in the extended header.
    }
  }

  private static void putOctal(ByteBuffer all, int at, int length, long number) {
    long left = number;
    for (int i = length - 2; i >= 0; i--) {
      all.put(at + i, (byte) ('0' + (left & 7)));
      left >>>= 3;
    }
  }
}
