package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets of trains as octets. */
class TrainCodecTest {
  private static final short SESSION = 0x1234;
  private static final TrainPacket.Test TEST = new TrainPacket.Test(7, 0xED003780_80000000L);
  private static final TrainPacket.Reflected ANSWER =
      new TrainPacket.Reflected(5, 0xED003780_90000000L, 0xED003780_88000000L, 7, TEST.timestamp());

  private final TrainCodec codec = codec(1, SESSION);

  @ParameterizedTest
  @ValueSource(ints = {TrainCodec.LEAST_BYTES, 117, 1_000, TrainCodec.MOST_BYTES})
  void whatIsWrittenIsRead(int length) {
    assertThat(read(codec, written(TEST, length))).isEqualTo(TEST);
    assertThat(read(codec, written(ANSWER, length))).isEqualTo(ANSWER);
    assertThat(written(TEST, length)).hasSize(length);
  }

  @Test
  void theLayoutIsTheStandards() {
    ByteBuffer test = ByteBuffer.wrap(written(TEST, 1_472));
    assertThat(test.getInt(0)).isEqualTo(7);
    assertThat(test.getLong(16)).isEqualTo(TEST.timestamp());
    assertThat(test.getShort(24)).isEqualTo(StampPacket.ERROR_ESTIMATE);
    assertThat(test.getShort(26)).isEqualTo(SESSION);
    assertThat(Arrays.copyOfRange(test.array(), 28, 96)).containsOnly(0);
    assertThat(test.get(112)).as("flags: U, until it is recognised").isEqualTo((byte) 0x80);
    assertThat(test.get(113)).as("Extra Padding").isEqualTo((byte) 1);
    assertThat(test.getShort(114)).isEqualTo((short) (1_472 - 116));
    ByteBuffer answer = ByteBuffer.wrap(written(ANSWER, 1_472));
    assertThat(answer.getLong(32)).isEqualTo(ANSWER.receiveTimestamp());
    assertThat(answer.getInt(48)).isEqualTo(7);
    assertThat(answer.getLong(64)).isEqualTo(TEST.timestamp());
    assertThat(answer.get(112)).isEqualTo((byte) 0);
  }

  @Test
  void noChangedOctetOfWhatIsSignedIsAccepted() {
    for (int at = 0; at < 112; at++) {
      byte[] changed = written(ANSWER, 200);
      changed[at] ^= 1;
      assertThat(read(codec, changed)).as("octet %s", at).isNull();
    }
  }

  @Test
  void neitherAnotherKeyNorAnotherSessionIsAccepted() {
    assertThat(read(codec(2, SESSION), written(TEST, 200))).isNull();
    assertThat(read(codec(1, (short) 0x1235), written(TEST, 200))).isNull();
  }

  @Test
  void paddingThatIsNotAsLongAsItSaysIsNotAccepted() {
    byte[] packet = written(TEST, 200);
    assertThat(read(codec, Arrays.copyOf(packet, 199))).isNull();
    assertThat(read(codec, Arrays.copyOf(packet, 201))).isNull();
    packet[113] = 2;
    assertThat(read(codec, packet)).isNull();
  }

  @Test
  void whateverComesIsReadOrLeft() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 20_000; i++) {
      byte[] some = new byte[random.nextInt(2_000)];
      random.nextBytes(some);
      if (some.length > 27) {
        some[26] = SESSION >> 8;
        some[27] = SESSION & 0xFF;
      }
      ByteBuffer datagram = ByteBuffer.wrap(some);
      assertThat(codec.read(datagram)).isNull();
      assertThat(datagram.remaining()).as("left as it was").isEqualTo(some.length);
    }
  }

  @Test
  void aPacketIsNeverLongerThanAFullOne() {
    assertThatThrownBy(() -> written(TEST, 1_473)).hasMessageContaining("116 to 1472");
  }

  private byte[] written(TrainPacket packet, int length) {
    ByteBuffer target = ByteBuffer.allocate(2_048);
    codec.write(packet, target, length);
    return Arrays.copyOf(target.array(), target.position());
  }

  private static @Nullable TrainPacket read(TrainCodec codec, byte[] octets) {
    return codec.read(ByteBuffer.wrap(octets));
  }

  private static TrainCodec codec(int key, short session) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) key);
    byte[] padding = new byte[TrainCodec.MOST_BYTES];
    new SplittableRandom(1).nextBytes(padding);
    return new TrainCodec(bytes, session, padding);
  }
}
