package io.cascade.coding.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.coding.window.GapSet;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireFormatTest {
  private final ByteBuffer buffer = ByteBuffer.allocate(2_000);

  private String written() {
    byte[] bytes = new byte[buffer.position()];
    buffer.flip().get(bytes);
    buffer.flip();
    return HexFormat.of().formatHex(bytes);
  }

  /** RFC 9000 appendix A.1. */
  @ParameterizedTest
  @CsvSource({
    "151288809941952652,c2197c5eff14e88c",
    "494878333,9d7f3e7d",
    "15293,7bbd",
    "37,25",
    "0,00",
    "4611686018427387903,ffffffffffffffff"
  })
  void varintsAreThoseOfRfc9000(long value, String hex) throws Malformed {
    Varint.write(buffer, value);
    assertThat(written()).isEqualTo(hex);
    assertThat(Varint.read(buffer)).isEqualTo(value);
  }

  @Test
  void varintsHaveARange() {
    assertThatThrownBy(() -> Varint.write(buffer, -1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> Varint.read(ByteBuffer.wrap(new byte[] {(byte) 0xc0, 1})))
        .isInstanceOf(Malformed.class)
        .hasMessage("varint is cut at byte 0");
  }

  /** RFC 9000 appendix A.3: 0xa82f30ea was the largest, 0x9b32 comes in two bytes. */
  @Test
  void packetNumbersExpandAsInRfc9000() {
    assertThat(PacketHeader.expand(0x9b32, 16, 0xa82f30eaL)).isEqualTo(0xa82f9b32L);
  }

  @Test
  void packetNumbersExpandToWhatWasCut() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      int bits = 8 * random.nextInt(1, 5);
      long largest = random.nextLong(-1, 1L << 40);
      long number =
          Math.max(0, largest + 1 + random.nextLong(-(1L << (bits - 1)) + 1, 1L << (bits - 1)));
      assertThat(PacketHeader.expand(number & ((1L << bits) - 1), bits, largest)).isEqualTo(number);
    }
  }

  @Test
  void headersReadAsTheyWereWritten() throws Malformed {
    PacketHeader header = new PacketHeader(PacketType.GAP, 0x01020304, 0x12345);
    header.write(buffer, 0x12000);
    assertThat(written()).isEqualTo("4901020304" + "2345");
    assertThat(PacketHeader.read(buffer, 0x12000)).isEqualTo(header);
  }

  @Test
  void sourceAndRepairHeadersReadAsTheyWereWritten() throws Malformed {
    new SourceHeader(7, 3).write(buffer);
    buffer.put(new byte[3]);
    assertThat(written()).isEqualTo("000000070003000000");
    assertThat(SourceHeader.read(buffer, 3)).isEqualTo(new SourceHeader(7, 3));

    buffer.clear();
    RepairHeader gap = new RepairHeader(9, 0xabcd, 15, 64, 1_000);
    gap.write(buffer);
    buffer.put(new byte[5]);
    assertThat(written()).isEqualTo("00000009abcdf040000003e80000000000");
    assertThat(RepairHeader.read(buffer, PacketType.GAP, 5)).isEqualTo(gap);
    assertThat(gap.type()).isEqualTo(PacketType.GAP);

    buffer.clear();
    RepairHeader sliding = new RepairHeader(RepairHeader.NO_GAPS, 1, 15, 64, 1_000);
    sliding.write(buffer);
    buffer.put(new byte[5]);
    buffer.flip();
    assertThat(RepairHeader.read(buffer, PacketType.SLIDING, 5)).isEqualTo(sliding);
  }

  private static AckFrame ack() {
    GapSet gaps = new GapSet(new long[] {1_000, 1_005, 1_500}, new int[] {2, 1, 200}, 3);
    ArrivalMap arrivals = new ArrivalMap(new byte[] {5, (byte) 0xff});
    return new AckFrame(77, 123_456, 4_000_000_000L, 250, 1_000, 1_400, 5_000, arrivals, gaps);
  }

  @Test
  void framesReadAsTheyWereWritten() throws Malformed {
    Frame[] frames = {
      new Frame.Ping(),
      new Frame.Ack(ack()),
      new Frame.Reset(9),
      new Frame.ResetSeen(),
      new Frame.TcpWanted(false),
      new Frame.TcpWanted(true),
      new Frame.PathChallenge(1L << 60),
      new Frame.PathResponse(-3),
      new Frame.Padding(5)
    };
    for (Frame frame : frames) {
      frame.write(buffer);
    }
    buffer.flip();
    for (Frame frame : frames) {
      assertThat(Frame.read(buffer)).isEqualTo(frame);
    }
    assertThat(buffer.hasRemaining()).isFalse();
  }

  @Test
  void arrivalsCountFromTheLargestDown() {
    ArrivalMap arrivals = ack().arrivals();
    assertThat(arrivals.reach()).isEqualTo(16);
    assertThat(arrivals.has(0)).isTrue();
    assertThat(arrivals.has(1)).isFalse();
    assertThat(arrivals.has(2)).isTrue();
    assertThat(arrivals.has(15)).isTrue();
    assertThat(arrivals.has(16)).isFalse();
  }

  @Test
  void everyCutIsMalformed() {
    new Frame.Ack(ack()).write(buffer);
    int length = buffer.position();
    for (int cut = 0; cut < length; cut++) {
      ByteBuffer part = buffer.duplicate().position(0).limit(cut);
      assertThatThrownBy(() -> Frame.read(part)).isInstanceOf(Malformed.class);
    }
  }

  @Test
  void boundsOfFramesHold() {
    String fixed = "02" + "00000000" + "00" + "00000000" + "00000000";
    assertMalformed(fixed + "81", "bitmap of 129");
    assertMalformed(fixed + "00" + "00" + "81", "unseen in 129");
    assertMalformed(fixed + "00" + "c000000100000001" + "01" + "01", "unseen in 1");
    assertMalformed(fixed + "00" + "00" + "21" + "ff".repeat(33), "unseen beyond 256");
    assertMalformed("03", "frame type 3");
    assertMalformed("0602", "wish 2");
  }

  private static void assertMalformed(String hex, String message) {
    assertThatThrownBy(() -> Frame.read(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining(message);
  }
}
