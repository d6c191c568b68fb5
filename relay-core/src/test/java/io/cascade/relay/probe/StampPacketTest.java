package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampPacketTest {
  private static final String TEST =
      "00000007" + "ed00378080000000" + "1601" + "beef" + "00".repeat(28);
  private static final String ANSWER =
      "00000005"
          + "ed00378180000000"
          + "1601"
          + "beef"
          + "ed00378140000000"
          + "00000007"
          + "ed00378080000000"
          + "1601"
          + "0000"
          + "40"
          + "000000";

  @Test
  void writesATestAsTheRfcHasIt() {
    assertThat(hex(new StampPacket.Test(7, 0xed003780_80000000L, (short) 0x1601, (short) 0xbeef)))
        .isEqualTo(TEST);
  }

  @Test
  void readsATest() {
    assertThat(parse(TEST))
        .isEqualTo(new StampPacket.Test(7, 0xed003780_80000000L, (short) 0x1601, (short) 0xbeef));
  }

  @Test
  void readsAnAnswerWithTheTtlThatOtherReflectorsFillIn() {
    assertThat(parse(ANSWER)).isEqualTo(answer());
  }

  @Test
  void writesAnAnswerAsTheRfcHasItButForTheTtl() {
    assertThat(hex(answer())).isEqualTo(ANSWER.substring(0, 80) + "00000000");
  }

  @Test
  void tellsHowLongTheReflectorHeldThePacket() {
    assertThat(answer().dwellNanos()).isEqualTo(250_000_000L);
  }

  @Test
  void takesNoDwellFromAClockThatRanBackwardsOrCountsInPtp() {
    StampPacket.Reflected backwards =
        new StampPacket.Reflected(0, 1L << 32, (short) 1, (short) 1, 2L << 32, 0, 1, (short) 1);
    StampPacket.Reflected ptp =
        new StampPacket.Reflected(
            0, 3L << 32, (short) 0x4001, (short) 1, 2L << 32, 0, 1, (short) 1);
    assertThat(backwards.dwellNanos()).isZero();
    assertThat(ptp.dwellNanos()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 43, 45, 1500})
  void dropsPacketsOfAnotherLength(int length) {
    assertThat(StampPacket.parse(ByteBuffer.allocate(length))).isNull();
  }

  @Test
  void dropsAPacketWithoutTimestamp() {
    assertThat(parse("00000007" + "00".repeat(8) + TEST.substring(24))).isNull();
  }

  @Test
  void dropsAPacketWhoseErrorEstimateIsInvalid() {
    assertThat(parse(TEST.substring(0, 24) + "1600" + TEST.substring(28))).isNull();
  }

  @Test
  void dropsATestWithSomethingWhereThereMustBeNothing() {
    assertThat(parse(TEST.substring(0, 86) + "01")).isNull();
  }

  @Test
  void readsRandomOctetsWithoutFailing() {
    Random random = new Random(8762);
    for (int round = 0; round < 100_000; round++) {
      byte[] octets = new byte[random.nextInt(4) == 0 ? random.nextInt(100) : StampPacket.LENGTH];
      random.nextBytes(octets);
      if (random.nextBoolean()) {
        java.util.Arrays.fill(octets, Math.min(16, octets.length), octets.length, (byte) 0);
      }
      StampPacket packet = StampPacket.parse(ByteBuffer.wrap(octets));
      if (packet instanceof StampPacket.Test test) {
        assertThat(hex(test)).isEqualTo(HexFormat.of().formatHex(octets));
      } else if (packet instanceof StampPacket.Reflected answer) {
        assertThat(StampPacket.parse(written(answer))).isEqualTo(answer);
        assertThat(answer.dwellNanos()).isNotNegative();
      }
    }
  }

  private static StampPacket.Reflected answer() {
    return new StampPacket.Reflected(
        5,
        0xed003781_80000000L,
        (short) 0x1601,
        (short) 0xbeef,
        0xed003781_40000000L,
        7,
        0xed003780_80000000L,
        (short) 0x1601);
  }

  private static @Nullable StampPacket parse(String hex) {
    return StampPacket.parse(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
  }

  private static String hex(StampPacket packet) {
    return HexFormat.of().formatHex(written(packet).array());
  }

  private static ByteBuffer written(StampPacket packet) {
    ByteBuffer buffer = ByteBuffer.allocate(StampPacket.LENGTH);
    packet.writeTo(buffer);
    assertThat(buffer.hasRemaining()).isFalse();
    return buffer.flip();
  }
}
