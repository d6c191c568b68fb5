package io.cascade.coding.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatagramsTest {
  private static final int CONTENT = Datagrams.contentBytes(100);
  private static final long MILLI = 1_000_000;

  private final DatagramQueue queue = new DatagramQueue(10_000);
  private final List<Integer> arrived = new ArrayList<>();
  private final Datagrams near = new Datagrams(CONTENT, queue, _ -> {});
  private final Datagrams far =
      new Datagrams(CONTENT, new DatagramQueue(1), bytes -> arrived.add(value(bytes)));

  @Test
  void smallDatagramsShareASymbol() throws Malformed {
    offer(1, 1, 30);
    offer(2, 2, 30);
    offer(1, 3, 100);

    ByteBuffer first = symbol();
    ByteBuffer second = symbol();
    assertThat(near.waits()).isFalse();
    far.arrived(first);
    assertThat(arrived).containsExactly(1, 2);
    far.arrived(second);
    assertThat(arrived).containsExactly(1, 2, 3);
  }

  @Test
  void anotherBucketDoesNotWaitForAMissingSymbol() throws Malformed {
    offer(1, 1, 100);
    offer(2, 2, 100);
    ByteBuffer missing = symbol();

    far.arrived(symbol());
    assertThat(arrived).containsExactly(2);
    assertThat(far.nextNanos()).isEqualTo(Datagrams.NEVER);
    far.arrived(missing);
    assertThat(arrived).containsExactly(2, 1);
  }

  @Test
  void whatArrivesAheadInItsBucketWaitsForTheOthers() throws Malformed {
    List<ByteBuffer> symbols = symbols(4);
    far.onTime(0);
    far.arrived(symbols.get(2));
    far.arrived(symbols.get(1));
    assertThat(arrived).isEmpty();
    far.arrived(symbols.get(0));
    assertThat(arrived).containsExactly(0, 1, 2);
    far.arrived(symbols.get(3));
    assertThat(arrived).containsExactly(0, 1, 2, 3);
    assertThat(far.held()).isZero();
  }

  @Test
  void waitsForThreeTenthsOfASecondAtMost() throws Malformed {
    List<ByteBuffer> symbols = symbols(3);
    far.onTime(5 * MILLI);
    far.arrived(symbols.get(1));
    far.onTime(9 * MILLI);
    far.arrived(symbols.get(2));
    assertThat(far.nextNanos()).isEqualTo(305 * MILLI);

    far.onTime(305 * MILLI - 1);
    assertThat(arrived).isEmpty();
    far.onTime(305 * MILLI);
    assertThat(arrived).containsExactly(1, 2);

    far.arrived(symbols.get(0));
    assertThat(arrived).as("late ones are passed on").containsExactly(1, 2, 0);
    assertThat(far.late()).isEqualTo(1);
  }

  /** After a pause of the flow, or of the process, others come with what they wait for. */
  @Test
  void whatComesAfterAPauseWaitsFromThenOn() throws Malformed {
    List<ByteBuffer> symbols = symbols(3);
    far.onTime(0);
    far.receiving(500 * MILLI);
    far.arrived(symbols.get(1));
    far.arrived(symbols.get(2));
    far.onTime(500 * MILLI);
    assertThat(arrived).isEmpty();

    far.arrived(symbols.get(0));
    assertThat(arrived).containsExactly(0, 1, 2);
  }

  @Test
  void atTheEndEverythingIsPassedOn() throws Malformed {
    List<ByteBuffer> symbols = symbols(4);
    far.arrived(symbols.get(3));
    far.arrived(symbols.get(1));

    far.release();
    assertThat(arrived).containsExactly(1, 3);
    assertThat(far.held()).isZero();
  }

  @Test
  void waitsForSixRoundTripsWhereThatIsShorter() throws Malformed {
    far.delivered(0, 10 * MILLI);
    List<ByteBuffer> symbols = symbols(2);
    far.onTime(0);
    far.arrived(symbols.get(1));

    assertThat(far.nextNanos()).isEqualTo(60 * MILLI);
  }

  @Test
  void holdsABoundedNumberOfBytesAndPassesOnTheOldestBeyond() throws Malformed {
    int most = FlowOrder.MOST_HELD_BYTES / (100 + FlowOrder.BYTES_BESIDE);
    offer(9, -2, 100);
    offer(9, -1, 100);
    near.fill(0, ByteBuffer.allocate(CONTENT));
    ByteBuffer oldest = symbol();
    offer(3, 0, 100);
    near.fill(0, ByteBuffer.allocate(CONTENT));
    far.onTime(0);
    far.arrived(oldest);
    for (int i = 1; i < most; i++) {
      offer(3, i, 100);
      far.arrived(symbol());
    }
    assertThat(far.held()).isEqualTo(most);
    assertThat(arrived).isEmpty();

    offer(3, most, 100);
    far.arrived(symbol());
    assertThat(arrived).containsExactly(-1);
    assertThat(far.held()).isEqualTo(most);
  }

  @Test
  void holdsWhatAHundredMegabitsASecondBringInThreeTenthsOfASecond() {
    int packetBytes = 1_400 + FlowOrder.BYTES_BESIDE;
    double seconds = FlowOrder.MOST_HELD_BYTES / packetBytes * 1_400 * 8 / 100e6;
    assertThat(seconds).isGreaterThan(0.3);
  }

  @Test
  void numbersMayWrap() throws Malformed {
    for (int i = 0; i < 70_000; i++) {
      offer(7, i, 100);
      far.arrived(symbol());
    }

    assertThat(arrived).hasSize(70_000).isSorted();
    assertThat(far.late()).isZero();
  }

  @Test
  void whatIsTooLongIsDroppedAndCounted() {
    offer(1, 1, 101);

    assertThat(near.waits()).isFalse();
    assertThat(near.tooLong()).isEqualTo(1);
  }

  @Test
  void whatDoesNotFollowTheFormatIsRefused() {
    for (byte[] content :
        List.of(
            new byte[] {0x31},
            new byte[] {0x30, 0, 1, 0},
            new byte[] {0x30, 0, 1, 0, 0, 0, 2, 9},
            new byte[] {0x30, 4, 0, 0, 0, 0, 1, 9})) {
      assertThatThrownBy(() -> far.arrived(ByteBuffer.wrap(content))).isInstanceOf(Malformed.class);
    }
    assertThat(arrived).isEmpty();
  }

  @Test
  void aFullQueueDropsWhatComes() {
    DatagramQueue two = new DatagramQueue(2);
    for (int i = 0; i < 3; i++) {
      two.offer(new Datagram(0, bytes(i, 10)));
    }

    assertThat(two.dropped()).isEqualTo(1);
    assertThat(value(two.next(0).bytes())).isZero();
  }

  private List<ByteBuffer> symbols(int count) {
    List<ByteBuffer> symbols = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      offer(3, i, 100);
      symbols.add(symbol());
    }
    return symbols;
  }

  private void offer(int bucket, int value, int length) {
    queue.offer(new Datagram(bucket, bytes(value, length)));
  }

  private ByteBuffer symbol() {
    assertThat(near.waits()).isTrue();
    ByteBuffer content = ByteBuffer.allocate(CONTENT);
    near.fill(0, content);
    return content.flip();
  }

  private static byte[] bytes(int value, int length) {
    return ByteBuffer.allocate(length).putInt(0, value).array();
  }

  private static int value(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt(0);
  }
}
