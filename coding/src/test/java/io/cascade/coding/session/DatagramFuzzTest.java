package io.cascade.coding.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.crypto.PacketProtection;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.wire.HalfDatagrams;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two sessions between which somebody changes, cuts, repeats and invents datagrams. How many is
 * {@code -Dcascade.fuzz.datagrams}, 50,000 for each test unless set.
 */
@Tag("slow")
class DatagramFuzzTest {
  private static final long DATAGRAMS = Long.getLong("cascade.fuzz.datagrams", 50_000);
  private static final long STEP_NANOS = 200_000;
  private static final int KEPT = 64;

  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("cascade.fuzz.seed", 1));
  private final byte[][] recorded = new byte[KEPT][];
  private final ByteBuffer out = ByteBuffer.allocate(2_000);
  private final ByteBuffer sealed = ByteBuffer.allocate(2_000);
  private final ByteBuffer into = ByteBuffer.allocate(1 << 16);
  private long now = 1;
  private long made;

  private CodedSession end(int local, long seed) {
    SessionSettings settings =
        new SessionSettings(local, 3 - local, 100, 512, 60_000_000_000L, seed);
    return new CodedSession(settings, new DelayCompete(), new SlidingDeficit(0), now);
  }

  /** A changed, cut, repeated or invented datagram. */
  private byte[] spoil(byte[] datagram) {
    made++;
    byte[] spoiled = datagram.clone();
    switch (random.nextInt(6)) {
      case 0 -> {
        int bits = 1 + random.nextInt(4);
        for (int i = 0; i < bits; i++) {
          spoiled[random.nextInt(spoiled.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 1 -> spoiled = Arrays.copyOf(spoiled, random.nextInt(spoiled.length + 1));
      case 2 -> spoiled = Arrays.copyOf(spoiled, spoiled.length + random.nextInt(200));
      case 3 -> {
        byte[] old = recorded[random.nextInt(KEPT)];
        spoiled = old == null ? spoiled : old.clone();
      }
      case 4 -> {
        // Valid up to its header, and anything behind it.
        int head = Math.min(spoiled.length, 7);
        byte[] rest = new byte[random.nextInt(300)];
        random.nextBytes(rest);
        spoiled = Arrays.copyOf(spoiled, head + rest.length);
        System.arraycopy(rest, 0, spoiled, head, rest.length);
        spoiled[0] = (byte) (0x40 | random.nextInt(64));
      }
      default -> {
        spoiled = new byte[random.nextInt(1_500)];
        random.nextBytes(spoiled);
      }
    }
    recorded[random.nextInt(KEPT)] = datagram;
    return spoiled;
  }

  private byte[] next(CodedSession from) {
    int length = from.poll(now, out.clear());
    byte[] datagram = new byte[length];
    out.flip().get(datagram);
    return datagram;
  }

  /** Not sealed, so that all of it is read: whatever a peer with the keys may do. */
  @Test
  void nothingThatAPeerSendsBreaksAnEnd() {
    while (made < DATAGRAMS) {
      CodedSession near = end(1, random.nextLong());
      CodedSession far = end(2, random.nextLong());
      for (int turn = 0; turn < 2_000 && far.state() == SessionState.ESTABLISHED; turn++) {
        now += STEP_NANOS;
        near.offer(ByteBuffer.allocate(random.nextInt(500)));
        for (byte[] datagram = next(near); datagram.length > 0; datagram = next(near)) {
          if (random.nextInt(20) == 0) {
            far.onDatagram(ByteBuffer.wrap(spoil(datagram)), now);
          } else {
            far.onDatagram(ByteBuffer.wrap(datagram), now);
          }
        }
        far.read(into.clear(), now);
        for (byte[] answer = next(far); answer.length > 0; answer = next(far)) {
          near.onDatagram(ByteBuffer.wrap(random.nextInt(20) == 0 ? spoil(answer) : answer), now);
        }
      }
    }
    assertThat(made).isGreaterThanOrEqualTo(DATAGRAMS);
  }

  /** Sealed: whatever somebody on the way does, never a wrong byte. */
  @Test
  void nobodyOnTheWayChangesAByte() {
    byte[] one = new byte[32];
    byte[] other = new byte[32];
    other[0] = 1;
    PacketProtection nears = new PacketProtection(one, other);
    PacketProtection fars = new PacketProtection(other, one);
    HalfDatagrams halves = new HalfDatagrams();
    CodedSession near = end(1, 1);
    CodedSession far = end(2, 2);
    long offered = 0;
    long arrived = 0;
    while (made < DATAGRAMS) {
      now += STEP_NANOS;
      offered = offer(near, offered);
      for (byte[] datagram = next(near); datagram.length > 0; datagram = next(near)) {
        byte[] packet = seal(nears, datagram);
        deliver(far, fars, halves, spoil(packet));
        if (random.nextInt(10) > 0) {
          deliver(far, fars, halves, packet);
        }
      }
      into.clear();
      far.read(into, now);
      into.flip();
      while (into.hasRemaining()) {
        assertThat(into.get()).isEqualTo((byte) (arrived++ % 251));
      }
      for (byte[] answer = next(far); answer.length > 0; answer = next(far)) {
        byte[] packet = seal(fars, answer);
        deliver(near, nears, halves, spoil(packet));
        deliver(near, nears, halves, packet);
      }
    }
    assertThat(arrived).isGreaterThan(DATAGRAMS / 10);
    assertThat(near.state()).isEqualTo(SessionState.ESTABLISHED);
    assertThat(far.state()).isEqualTo(SessionState.ESTABLISHED);
  }

  private long offer(CodedSession near, long from) {
    ByteBuffer bytes = ByteBuffer.allocate(300);
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.put((byte) ((from + i) % 251));
    }
    return from + near.offer(bytes.flip());
  }

  private byte[] seal(PacketProtection by, byte[] datagram) {
    by.seal(ByteBuffer.wrap(datagram), sealed.clear());
    byte[] packet = new byte[sealed.flip().remaining()];
    sealed.get(packet);
    return packet;
  }

  private void deliver(CodedSession to, PacketProtection by, HalfDatagrams halves, byte[] packet) {
    ByteBuffer datagram = ByteBuffer.wrap(packet);
    ByteBuffer whole = HalfDatagrams.isOne(datagram) ? halves.join(datagram) : datagram;
    if (whole != null && by.open(whole, sealed.clear())) {
      to.onDatagram(sealed.flip(), now);
    }
  }
}
