package io.cascade.client.transfer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.entries.StandingEntry;
import io.cascade.client.transfer.connection.Said;
import io.cascade.client.transfer.content.ByteRanges;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.wire.TransferHeader.Purpose;
import io.cascade.testing.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ends of two versions understand each other only as long as these bytes stay as they are. */
class TransferMessagesTest {
  private static final UUID ID = new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
  private static final HeaderFields ALL =
      new HeaderFields(
          new UUID(3, 4),
          Instant.ofEpochSecond(1_700_000_000, 5),
          PosixFilePermissions.fromString("rw-r-x---"),
          7L,
          true,
          "user@host",
          Duration.ofDays(2));

  private static Stream<TransferHeader> headers() {
    return Stream.concat(
        Stream.of(Purpose.values()).map(purpose -> new TransferHeader("name", 9, ID, purpose)),
        Stream.of(
            new TransferHeader("ümläut", TransferHeader.UNKNOWN_SIZE, ID, Purpose.FILE),
            new TransferHeader("name", 9, ID, Purpose.FILE, ALL),
            new TransferHeader("", 0, ID, Purpose.FILE, new HeaderFields(new UUID(3, 4)))));
  }

  private static Stream<Reply> replies() {
    ByteRanges ranges = new ByteRanges();
    long _ = ranges.add(0, 5);
    long _ = ranges.add(7, 1L << 40);
    Sha256 digest = Sha256.of("content".getBytes(StandardCharsets.UTF_8));
    return Stream.of(
        new Offer(ID, new ByteRanges()),
        new Offer(ID, ranges),
        new HeldExtents(List.of()),
        new HeldExtents(List.of(new Extent(1, 2, 3), new Extent(1L << 40, 1 << 20, -1))),
        new Receipt(1L << 40, 1 << 20),
        new Checking(),
        new Queued(3),
        new Load(300),
        new StandingReply(
            1,
            List.of(
                StandingEntry.NOTHING,
                StandingEntry.OTHER,
                new StandingEntry(StandingEntry.Kind.SAME, 0, ""),
                new StandingEntry(StandingEntry.Kind.FILE, 3, digest.toString()),
                new StandingEntry(StandingEntry.Kind.BEGINNING, 1L << 40, digest.toString()))),
        FinalReply.stands(7, digest),
        FinalReply.refused(5, "no röom"));
  }

  @Test
  @Tag(Golden.TAG)
  void theBytesOfHeadersStayAsTheyAre() {
    Golden.check(
        "wire/transfer-header.txt",
        headers()
            .map(header -> "%s %s\n".formatted(header.purpose(), hex(header.encode())))
            .collect(Collectors.joining()));
  }

  @Test
  @Tag(Golden.TAG)
  void theBytesOfRepliesStayAsTheyAre() {
    Golden.check(
        "wire/receiver-replies.txt",
        replies()
            .map(
                reply -> "%s %s\n".formatted(reply.getClass().getSimpleName(), hex(reply.encode())))
            .collect(Collectors.joining()));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void aHeaderIsReadAsItWasWritten(TransferHeader header) throws IOException {
    assertThat(TransferHeader.read(new Said(bytes(header.encode())))).isEqualTo(header);
  }

  /** By its bytes, for ranges have no equality. */
  @ParameterizedTest
  @MethodSource("replies")
  void aReplyIsReadAsItWasWritten(Reply reply) throws IOException {
    Reply read = Reply.read(new Said(bytes(reply.encode())));
    assertThat(read).hasSameClassAs(reply);
    assertThat(hex(read.encode())).isEqualTo(hex(reply.encode()));
  }

  private static String hex(ByteBuffer message) {
    return HexFormat.of().formatHex(bytes(message));
  }

  private static byte[] bytes(ByteBuffer message) {
    byte[] copy = new byte[message.remaining()];
    message.get(copy);
    return copy;
  }
}
