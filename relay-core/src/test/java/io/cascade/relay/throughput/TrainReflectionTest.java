package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.probe.TrainCodec;
import io.cascade.relay.probe.TrainPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The far end of a train, against those who would have it send. */
class TrainReflectionTest {
  private static final InetSocketAddress SENDER = new InetSocketAddress("127.0.0.1", 7_411);
  private static final long NOON = 43_200_000_000_000L;
  private static final short SESSION = 77;

  private final ManualClock clock = new ManualClock();
  private final TrainCodec sender = codec(1);
  private final TrainReflection reflection = new TrainReflection(3, codec(1), clock);
  private final List<Integer> lengths = new ArrayList<>();

  @Test
  void aPacketComesBackInItsOwnSizeOnce() {
    assertThat(take(sender, 0, 1_472)).isTrue();
    assertThat(take(sender, 0, 1_472)).as("the same again").isTrue();
    assertThat(take(sender, 1, 300)).isTrue();
    assertThat(lengths).containsExactly(1_472, 300);
    assertThat(reflection.movedBytes()).isEqualTo(2 * (1_472 + 300));
  }

  @Test
  void nobodyWithoutTheKeyGetsAnything() {
    assertThat(take(codec(2), 0, 1_472)).isFalse();
    assertThat(lengths).isEmpty();
  }

  @Test
  void aNumberBeyondTheTrainGetsNothing() {
    assertThat(take(sender, 3, 1_472)).isTrue();
    assertThat(take(sender, -1, 1_472)).isTrue();
    assertThat(lengths).isEmpty();
  }

  @Test
  void anAnswerIsNotAnswered() {
    ByteBuffer datagram = ByteBuffer.allocate(2_048);
    long then = TrainCodec.timestamp(NOON);
    sender.write(new TrainPacket.Reflected(0, then, then, 0, then), datagram, 1_472);
    assertThat(reflection.take(datagram.flip(), SENDER, (_, _) -> lengths.add(1))).isFalse();
    assertThat(lengths).isEmpty();
  }

  @Test
  void itIsOverWhenNothingComesOrAllHasCome() {
    assertThat(reflection.left()).isEqualTo(TrainReflection.PATIENCE);
    clock.pass(Duration.ofSeconds(4));
    take(sender, 0, 200);
    assertThat(reflection.left()).isEqualTo(TrainReflection.PAUSE);
    clock.pass(TrainReflection.PAUSE);
    assertThat(reflection.left()).isNull();
    take(sender, 1, 200);
    take(sender, 2, 200);
    assertThat(reflection.left()).isNull();
  }

  private boolean take(TrainCodec from, int number, int length) {
    ByteBuffer datagram = ByteBuffer.allocate(2_048);
    from.write(new TrainPacket.Test(number, TrainCodec.timestamp(NOON)), datagram, length);
    return reflection.take(
        datagram.flip(),
        SENDER,
        (answer, to) -> {
          assertThat(to).isEqualTo(SENDER);
          lengths.add(answer.remaining());
        });
  }

  private static TrainCodec codec(int first) {
    byte[] key = new byte[32];
    key[0] = (byte) first;
    return new TrainCodec(key, SESSION, new byte[TrainCodec.MOST_BYTES]);
  }
}
