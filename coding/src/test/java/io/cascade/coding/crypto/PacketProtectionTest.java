package io.cascade.coding.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.wire.PacketHeader;
import io.cascade.coding.wire.PacketType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PacketProtectionTest {
  private static final int BYTES = 200;
  private final PacketProtection near = new PacketProtection(secret(1), secret(2));
  private final PacketProtection far = new PacketProtection(secret(2), secret(1));
  private static long number;

  @Test
  void whatIsSealedOpensAtTheOtherEndAlone() {
    byte[] sealed = seal(near, 0);
    assertThat(sealed).hasSize(BYTES + PacketProtection.TAG_BYTES);
    assertThat(open(near, sealed)).isNull();
    assertThat(open(new PacketProtection(secret(3), secret(3)), sealed)).isNull();
    assertThat(open(far, sealed)).isEqualTo(packet(0));
    assertThat(near.refused()).isEqualTo(1);
  }

  @Test
  void noByteOfADatagramMayBeChangedOrCut() {
    byte[] sealed = seal(near, 5);
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 0x10;
      assertThat(open(far, changed)).as("byte %d", i).isNull();
      assertThat(open(far, Arrays.copyOf(sealed, i))).isNull();
    }
    assertThat(open(far, sealed)).isNotNull();
  }

  /** The key changes every 2^22 numbers, also where datagrams of both sides of it are mixed. */
  @Test
  void keysFollowFromPacketNumbers() {
    long border = 1L << 22;
    for (int period = 1; period <= 3; period++) {
      long at = period * border;
      byte[] before = seal(near, at - 2);
      byte[] late = seal(near, at - 1);
      byte[] after = seal(near, at);
      byte[] later = seal(near, at + 1);
      assertThat(open(far, before)).isEqualTo(packet(at - 2));
      assertThat(open(far, later)).isEqualTo(packet(at + 1));
      assertThat(open(far, late)).isEqualTo(packet(at - 1));
      assertThat(open(far, after)).isEqualTo(packet(at));
      // Numbers are cut to four bytes at most: both ends come here step by step.
      for (long step = at + border / 4; step < at + border - 2; step += border / 4) {
        assertThat(open(far, seal(near, step))).isNotNull();
      }
    }
  }

  @Test
  void datagramsAtRandomAreRefused() {
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 200_000; i++) {
      byte[] datagram = new byte[random.nextInt(60)];
      random.nextBytes(datagram);
      if (datagram.length > 0 && random.nextBoolean()) {
        datagram[0] = (byte) (0x40 | (datagram[0] & 0x1f));
      }
      assertThat(open(far, datagram)).isNull();
    }
  }

  /** That a datagram of one opens at the other. */
  static void assertOpens(PacketProtection from, PacketProtection to) {
    long next = number++;
    byte[] sealed = seal(from, next);
    assertThat(open(to, sealed)).isEqualTo(packet(next));
  }

  private static byte[] packet(long packetNumber) {
    ByteBuffer packet = ByteBuffer.allocate(BYTES);
    // As if nothing of it had been acknowledged for long: the number takes four bytes.
    new PacketHeader(PacketType.SOURCE, 77, packetNumber).write(packet, packetNumber - (1 << 23));
    while (packet.hasRemaining()) {
      packet.put((byte) packet.position());
    }
    return packet.array();
  }

  private static byte[] seal(PacketProtection by, long packetNumber) {
    ByteBuffer into = ByteBuffer.allocate(2 * BYTES);
    int length = by.seal(ByteBuffer.wrap(packet(packetNumber)), into);
    assertThat(length).isEqualTo(into.position());
    return Arrays.copyOf(into.array(), length);
  }

  private static byte @org.jspecify.annotations.Nullable [] open(
      PacketProtection by, byte[] sealed) {
    ByteBuffer into = ByteBuffer.allocate(2 * BYTES);
    if (!by.open(ByteBuffer.wrap(sealed), into)) {
      assertThat(into.position()).isZero();
      return null;
    }
    return Arrays.copyOf(into.array(), into.position());
  }

  private static byte[] secret(int value) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) value);
    return secret;
  }
}
