package io.cascade.client.transfer.wire;

import io.cascade.client.entries.StandingEntry;
import io.cascade.client.transfer.connection.Said;
import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.content.Extents;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.testing.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Headers of a transfer and replies of a receiver. */
class TransferFuzzTest extends FuzzTest {
  private static final UUID ID = new UUID(1, 2);

  @Override
  protected Stream<byte[]> seeds() {
    HeaderFields fields =
        new HeaderFields(
            ID,
            Instant.ofEpochSecond(1_700_000_000, 5),
            PosixFilePermissions.fromString("rw-r-x---"),
            7L,
            true,
            "user@host",
            Duration.ofDays(2));
    ByteRanges ranges = new ByteRanges();
    long _ = ranges.add(5, 9);
    return Stream.of(
            new TransferHeader("name", 9).with(fields).encode(),
            new TransferHeader("", -1, ID, TransferHeader.Purpose.INVITATION).encode(),
            new Offer(ID, ranges).encode(),
            new HeldExtents(List.of(new Extents.Extent(1, 2, 3))).encode(),
            new Receipt(4, 5).encode(),
            new Checking().encode(),
            new Queued(3).encode(),
            new Load(300).encode(),
            new StandingReply(
                    1,
                    List.of(
                        StandingEntry.OTHER,
                        new StandingEntry(StandingEntry.Kind.FILE, 3, "ab".repeat(32))))
                .encode(),
            FinalReply.stands(5, new Sha256(new byte[Sha256.BYTES])).encode(),
            FinalReply.refused(5, "why").encode())
        .map(TransferFuzzTest::bytes);
  }

  @Override
  protected void parse(byte[] input) throws Exception {
    header(input);
    try {
      Reply reply = Reply.read(new Said(input));
      if (!(reply instanceof Offer)) { // Ranges have no equality.
        same(reply, Reply.read(new Said(bytes(reply.encode()))));
      }
    } catch (IOException e) {
      // As declared.
    }
  }

  private static byte[] bytes(ByteBuffer of) {
    byte[] copy = new byte[of.remaining()];
    of.get(copy);
    return copy;
  }

  private static void header(byte[] input) throws IOException {
    TransferHeader header;
    try {
      header = TransferHeader.read(new Said(input));
    } catch (IOException e) {
      return; // As declared.
    }
    if (header != null) {
      ByteBuffer again = header.encode();
      require(again.remaining() <= 2_048 + 38, "a header is bounded");
      same(header, TransferHeader.read(new Said(bytes(again))));
    }
  }
}
