package io.cascade.coding.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.crypto.Accepting;
import io.cascade.coding.crypto.Dialling;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.stream.CodedStream;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.cascade.coding.stream.Streams;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Sessions with many streams, and handshakes, whose datagrams somebody changes, cuts and invents.
 * How many is {@code -Dcascade.fuzz.datagrams}, 50,000 for each test unless set.
 */
class StreamsFuzzTest {
  private static final long DATAGRAMS = Long.getLong("cascade.fuzz.datagrams", 50_000);
  private static final long STEP_NANOS = 200_000;
  private static final int CONTENT = 100;
  private static final int WINDOW = 512;
  private static final long MEMORY = 4 << 20;
  private static final int TURNS = 1_000;

  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("cascade.fuzz.seed", 1));
  private final ByteBuffer out = ByteBuffer.allocate(2_000);
  private final ByteBuffer into = ByteBuffer.allocate(1 << 16);
  private final StreamMemory memory = new StreamMemory(MEMORY, () -> Long.MAX_VALUE);
  private final CodedStreamLimits limits =
      new CodedStreamLimits(10_000, 40_000, 10_000, 64, memory);
  private long now = 1;
  private long made;

  /** An end that opens, writes, reads, ends and resets streams at random. */
  private final class End {
    private final Streams streams;
    private final CodedSession session;

    End(int local, long seed) {
      streams = new Streams(local == 1, limits, (long) WINDOW * CONTENT);
      session =
          new CodedSession(
              new SessionSettings(local, 3 - local, CONTENT, WINDOW, 60_000_000_000L, seed),
              new DelayCompete(),
              new SlidingDeficit(),
              streams,
              now);
    }

    void act() {
      if (random.nextInt(8) == 0) {
        streams.open();
      }
      CodedStream arrived = streams.accept();
      while (arrived != null) {
        arrived = streams.accept();
      }
      for (CodedStream stream : streams.all()) {
        switch (random.nextInt(6)) {
          case 0 -> stream.offer(ByteBuffer.allocate(random.nextInt(600)));
          case 1, 2 -> stream.read(into.clear(), now);
          case 3 -> {
            if (random.nextInt(30) == 0) {
              stream.end();
            }
          }
          case 4 -> {
            if (random.nextInt(100) == 0) {
              stream.reset(random.nextInt(5));
            }
          }
          default -> {}
        }
      }
      streams.nextChanged();
    }

    byte[] next() {
      byte[] datagram = new byte[session.poll(now, out.clear())];
      out.flip().get(datagram);
      return datagram;
    }
  }

  /** Not sealed: whatever a peer with the keys may do. What it makes an end hold is bounded. */
  @Test
  void nothingThatAPeerSendsBreaksAnEndWithStreams() {
    while (made < DATAGRAMS) {
      End near = new End(1, random.nextLong());
      End far = new End(2, random.nextLong());
      for (int turn = 0; turn < TURNS && far.session.state() == SessionState.ESTABLISHED; turn++) {
        now += STEP_NANOS;
        near.act();
        far.act();
        exchange(near, far);
        exchange(far, near);
      }
      // Two ends: what each may hold, always and in a window, twice, since rings are powers of two.
      assertThat(memory.heldBytes())
          .isLessThanOrEqualTo(MEMORY + 2 * ((2 << 20) + 4 * WINDOW * CONTENT));
      near.streams.close();
      far.streams.close();
      assertThat(memory.heldBytes()).isZero();
    }
  }

  private void exchange(End from, End to) {
    for (byte[] datagram = from.next(); datagram.length > 0; datagram = from.next()) {
      made++;
      byte[] arriving = random.nextInt(20) == 0 ? spoiled(datagram) : datagram;
      to.session.onDatagram(ByteBuffer.wrap(arriving), now);
    }
  }

  /** Header and ids stay mostly as they are, so that what is behind them is read. */
  private byte[] spoiled(byte[] datagram) {
    byte[] spoiled = datagram.clone();
    switch (random.nextInt(4)) {
      case 0 -> spoiled[random.nextInt(spoiled.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> spoiled = Arrays.copyOf(spoiled, random.nextInt(spoiled.length + 1));
      case 2 -> {
        for (int at = 13; at < spoiled.length; at++) {
          spoiled[at] = (byte) random.nextInt();
        }
        if (spoiled.length > 13) {
          spoiled[13] = (byte) random.nextInt(0x10, 0x14);
        }
      }
      default -> {
        spoiled = new byte[random.nextInt(1_500)];
        random.nextBytes(spoiled);
      }
    }
    return spoiled;
  }

  @Test
  void nothingThatIsSentBreaksAHandshake() {
    byte[] key = new byte[32];
    byte[] name = {1};
    Accepting accepting =
        new Accepting(named -> Arrays.equals(named, name) ? key : null, new SecureRandom(), 8);
    while (made < DATAGRAMS) {
      now += STEP_NANOS;
      Dialling dialling =
          new Dialling(
              key,
              name,
              random.nextInt(),
              1_472,
              Dialling.Repetition.SHORTER_LATER,
              now,
              now + 1_000_000_000L);
      byte[] hello = dialling.poll(now);
      for (int i = 0; hello != null && i < 200; i++) {
        made++;
        byte[] sent = handshake(hello);
        Accepting.HelloOutcome answer =
            accepting.onDatagram(ByteBuffer.wrap(sent), address(), 1_472, now);
        byte[] reply =
            switch (answer) {
              case Accepting.HelloOutcome.Nothing _ -> null;
              case Accepting.HelloOutcome.Reply of -> of.datagram();
              case Accepting.HelloOutcome.Opened opened -> opened.welcome();
            };
        if (reply != null) {
          assertThat(reply.length).isLessThanOrEqualTo(sent.length);
          dialling.onDatagram(ByteBuffer.wrap(handshake(reply)), now);
        }
      }
      assertThat(accepting.halfOpen()).isLessThanOrEqualTo(256);
    }
  }

  private byte[] address() {
    return new byte[] {10, 0, 0, (byte) random.nextInt(8), 1, 1};
  }

  private byte[] handshake(byte[] datagram) {
    byte[] spoiled = datagram.clone();
    switch (random.nextInt(5)) {
      case 0 -> spoiled[random.nextInt(spoiled.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> spoiled[random.nextInt(Math.min(90, spoiled.length))] ^= (byte) random.nextInt(256);
      case 2 -> spoiled = Arrays.copyOf(spoiled, random.nextInt(1_473));
      case 3 -> {
        for (int at = random.nextInt(80); at < Math.min(120, spoiled.length); at++) {
          spoiled[at] = (byte) random.nextInt();
        }
      }
      default -> {}
    }
    return spoiled;
  }
}
