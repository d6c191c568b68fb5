package io.cascade.coding.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HalfDatagramsTest {
  private final HalfDatagrams sender = new HalfDatagrams();
  private final HalfDatagrams receiver = new HalfDatagrams();

  private static ByteBuffer datagram(int length, int fill) {
    ByteBuffer datagram = ByteBuffer.allocate(length);
    while (datagram.hasRemaining()) {
      datagram.put((byte) fill);
    }
    return datagram.flip();
  }

  private static ByteBuffer half(int pair, int index, ByteBuffer datagram) {
    ByteBuffer into = ByteBuffer.allocate(2_000);
    HalfDatagrams.write(pair, index, datagram, into);
    return into.flip();
  }

  @Test
  void aDatagramComesWholeOutOfItsHalvesInEitherOrder() {
    for (int length : new int[] {20, 1_471, 1_472}) {
      for (int first = 0; first < 2; first++) {
        ByteBuffer whole = datagram(length, length);
        int pair = sender.nextPair();
        assertThat(half(pair, first, whole).remaining()).isLessThanOrEqualTo(length / 2 + 8);
        assertThat(receiver.join(half(pair, first, whole))).isNull();
        assertThat(receiver.join(half(pair, 1 - first, whole))).isEqualTo(whole);
      }
    }
  }

  @Test
  void halvesOfDifferentDatagramsAreNotJoined() {
    ByteBuffer whole = datagram(100, 1);
    assertThat(receiver.join(half(1, 0, whole))).isNull();
    assertThat(receiver.join(half(65, 1, whole))).as("in the same place").isNull();
    assertThat(receiver.join(half(65, 1, whole))).as("twice").isNull();
    assertThat(receiver.join(half(2, 0, datagram(100, 1)))).isNull();
    ByteBuffer other = datagram(100, 2);
    assertThat(receiver.join(half(2, 1, other))).as("of another session").isNull();
  }

  @Test
  void overtakingAndLossOfHalvesCostNoOtherDatagram() {
    SplittableRandom random = new SplittableRandom(5);
    int joined = 0;
    ByteBuffer late = null;
    for (int i = 0; i < 10_000; i++) {
      ByteBuffer whole = datagram(50 + random.nextInt(100), i);
      int pair = sender.nextPair();
      if (random.nextInt(10) > 0) {
        assertThat(receiver.join(half(pair, 1, whole))).isNull();
        if (late != null && random.nextBoolean()) {
          joined += receiver.join(late) == null ? 0 : 1;
        }
        late = half(pair, 0, whole);
        if (random.nextInt(4) > 0) {
          assertThat(requireNonNull(receiver.join(late))).isEqualTo(whole);
          late = null;
          joined++;
        }
      }
    }
    assertThat(joined).isGreaterThan(6_000);
  }

  @Test
  void rubbishIsNoDatagram() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) (0x60 | random.nextInt(2));
      }
      ByteBuffer joined = receiver.join(ByteBuffer.wrap(bytes));
      assertThat(joined == null || joined.remaining() <= 66).isTrue();
    }
  }
}
