package io.cascade.client.entries;

import io.cascade.testing.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Streams of entries. The first byte of an input is the length of the pieces in which it comes; the
 * checksums of headers are made right.
 */
class EntryDecoderFuzzTest extends FuzzTest {
  private static final Instant TIME = Instant.ofEpochSecond(1_700_000_000, 5);

  /** A sender may ask for 4 MiB of paths at a time, which are taken apart and put together. */
  @Override
  protected long mostBytes() {
    return 256 << 20;
  }

  @Override
  protected Stream<byte[]> seeds() {
    Entry file = new Entry("a/b", Entry.Kind.FILE, 5, TIME, 0644, "");
    Entry folder = new Entry("a", Entry.Kind.FOLDER, 0, TIME, 0755, "");
    Entry link = new Entry("c", Entry.Kind.LINK, 0, TIME, 0777, "\u00e9/d");
    EntryList list = new EntryList();
    list.add(folder);
    list.add(file);
    list.add(link);
    Entry sparse = new Entry("s", Entry.Kind.FILE, 9_000_000, TIME, 0600, "");
    DataMap map = new DataMap(8_000_000, 5);
    ByteBuffer mapped = ByteBuffer.allocate(2 * PaxFormat.BLOCK).put(map.encode());
    return Stream.of(
        stream(EntryEncoder.header(folder), EntryEncoder.end()),
        stream(EntryEncoder.header(file), ByteBuffer.allocate(PaxFormat.BLOCK), EntryEncoder.end()),
        stream(EntryEncoder.header(link)),
        stream(EntryEncoder.control(PaxFormat.AHEAD_KEY, list.take())),
        stream(EntryEncoder.control(PaxFormat.AHEAD_KEY, muchInFew())),
        stream(EntryEncoder.control(PaxFormat.STANDING_KEY, "0 2 5 1")),
        stream(EntryEncoder.control(PaxFormat.SPOILT_KEY, "changed")),
        stream(EntryEncoder.header(sparse, 0, map, 517), mapped.clear()));
  }

  /** Entries of 8,000 characters, of which all but the first one say one each. */
  private static String muchInFew() {
    String deep = "a/".repeat(4_000);
    return "d 755 0 0 0 0 " + deep + "a\0\0" + "f 644 0 0 0 8000 b\0\0".repeat(3_000);
  }

  private static byte[] stream(ByteBuffer... parts) {
    ByteBuffer all = ByteBuffer.allocate(1 << 17).put((byte) 200);
    for (ByteBuffer part : parts) {
      all.put(part);
    }
    return Arrays.copyOf(all.array(), all.position());
  }

  @Override
  protected void parse(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    int most = Math.max(1, input[0] & 0xff);
    byte[] said = Arrays.copyOfRange(input, 1, input.length);
    sign(said);
    EntryDecoder decoder = new EntryDecoder(new Again());
    try {
      for (int at = 0; at < said.length; at += most) {
        decoder.accept(ByteBuffer.wrap(said, at, Math.min(most, said.length - at)));
      }
    } catch (EntriesFailed e) {
      // As declared.
    }
  }

  private static void sign(byte[] said) {
    byte[] magic = PaxFormat.MAGIC_TEXT.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    for (int at = 0; at + PaxFormat.BLOCK <= said.length; at += PaxFormat.BLOCK) {
      int found = at + PaxFormat.MAGIC;
      if (Arrays.equals(said, found, found + magic.length, magic, 0, magic.length)) {
        int sum = PaxFormat.checksum(ByteBuffer.wrap(said), at);
        byte[] octal =
            "%06o\0 ".formatted(sum).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        System.arraycopy(octal, 0, said, at + PaxFormat.CHECKSUM, octal.length);
      }
    }
  }

  /** Writes what it is told and reads it again. */
  private static class Again implements EntryDecoder.Listener {
    private @Nullable Entry last;

    @Override
    public void entry(Entry entry, long standing, long coming) throws IOException {
      if (last == null && standing == 0 && !entry.path().isEmpty()) {
        Again again = new Again();
        again.last = entry;
        new EntryDecoder(again).accept(EntryEncoder.header(entry));
        same(entry, again.last);
      }
      last = entry;
    }

    @Override
    public void content(ByteBuffer bytes, long offset) {
      require(
          offset >= 0 && offset + bytes.remaining() <= Objects.requireNonNull(last).size(),
          "content is within its file");
    }

    @Override
    public void spoilt(String reason) {}

    @Override
    public void ahead(List<Entry> entries) {
      EntryList list = new EntryList();
      entries.forEach(list::add);
      same(entries, EntryList.parse(list.take()));
    }

    @Override
    public void stand(long first, long count) {
      require(first >= 0 && count >= 0, "a range is one");
    }

    @Override
    public void entryEnds() {}

    @Override
    public void end() {}
  }
}
