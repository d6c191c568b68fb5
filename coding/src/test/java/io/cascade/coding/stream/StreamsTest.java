package io.cascade.coding.stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SendingState;
import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two sets of streams that give each other symbols, in any order. */
class StreamsTest {
  private static final int CONTENT = 100;
  private static final long WINDOW = 100_000;
  private static final CodedStreamLimits LIMITS =
      new CodedStreamLimits(1_000, 4_000, 2_000, 8, new StreamMemory(1 << 30, () -> 8_000));

  private final Streams near = new Streams(true, LIMITS, WINDOW);
  private final Streams far = new Streams(false, LIMITS, WINDOW);
  private long nearSymbols;
  private long farSymbols;

  @Test
  void carriesBytesAndAnEndOfEachDirectionByItself() throws Malformed {
    CodedStream stream = open();
    stream.offer(bytes(0, 500));
    stream.end();
    exchange();
    CodedStream accepted = accepted();

    assertThat(read(accepted, 0)).isEqualTo(500);
    assertThat(accepted.receiving()).isEqualTo(ReceivingState.ENDED);
    assertThat(accepted.sending()).isEqualTo(SendingState.OPEN);
    assertThat(stream.sending()).isEqualTo(SendingState.FINISHED);

    accepted.offer(bytes(0, 300));
    accepted.end();
    exchange();
    assertThat(read(stream, 0)).isEqualTo(300);
    assertThat(stream.receiving()).isEqualTo(ReceivingState.ENDED);
    assertThat(near.count()).isZero();
    assertThat(far.count()).isZero();
  }

  @Test
  void bytesBehindAMissingSymbolOfAnotherStreamAreReadAtOnce() throws Malformed {
    CodedStream held = open();
    CodedStream other = open();
    held.offer(bytes(0, 100));
    ByteBuffer missing = symbol(near, nearSymbols++);
    other.offer(bytes(0, 50));
    far.arrived(symbol(near, nearSymbols++));

    CodedStream first = accepted();
    CodedStream second = accepted();
    assertThat(read(second, 0)).isEqualTo(50);
    far.arrived(missing);
    assertThat(first.readable()).isPositive();
  }

  @Test
  void aReaderThatDoesNotReadHoldsItsStreamToItsCreditAndNoOther() throws Malformed {
    CodedStream stalled = open();
    CodedStream other = open();
    long offered = 0;
    for (int i = 0; i < 10; i++) {
      stalled.offer(bytes(offered, 2_000));
      exchange();
    }
    assertThat(stalled.room()).isZero();
    CodedStream first = accepted();
    assertThat(first.readable()).isEqualTo(LIMITS.firstCreditBytes());

    other.offer(bytes(0, 400));
    exchange();
    assertThat(read(accepted(), 0)).isEqualTo(400);

    read(first, 0);
    exchange();
    assertThat(first.readable()).isPositive();
  }

  @Test
  void creditGrowsOnlyWhileThereIsMemoryToSpare() throws Malformed {
    long[] spare = {0};
    StreamMemory memory = new StreamMemory(1 << 30, () -> 8 * spare[0]);
    CodedStreamLimits limits = new CodedStreamLimits(1_000, 8_000, 20_000, 8, memory);
    Streams to = new Streams(false, limits, WINDOW);
    Streams from = new Streams(true, limits, WINDOW);
    CodedStream stream = requireNonNull(from.open());
    assertThat(roundOf(stream, from, to)).isEqualTo(1_000);
    assertThat(roundOf(stream, from, to)).isEqualTo(1_000);
    spare[0] = 100_000;
    assertThat(roundOf(stream, from, to)).isEqualTo(1_000);
    assertThat(roundOf(stream, from, to)).isEqualTo(2_000);
    assertThat(roundOf(stream, from, to)).isEqualTo(4_000);
    assertThat(roundOf(stream, from, to)).isEqualTo(8_000);
    assertThat(roundOf(stream, from, to)).isEqualTo(8_000);
  }

  private @Nullable CodedStream known;

  /** Sends what credit allows, reads it, and tells the credit; how much that was. */
  private long roundOf(CodedStream stream, Streams from, Streams to) throws Malformed {
    stream.offer(ByteBuffer.allocate(20_000));
    while (from.waits()) {
      to.arrived(symbol(from, nearSymbols++));
    }
    CodedStream arrived = to.accept();
    known = arrived == null ? known : arrived;
    ByteBuffer into = ByteBuffer.allocate(20_000);
    requireNonNull(known).read(into, 1);
    while (to.waits()) {
      from.arrived(symbol(to, farSymbols++));
    }
    return into.position();
  }

  @Test
  void aResetComesBehindWhatWasSentAndIsNeverAnEnd() throws Malformed {
    CodedStream stream = open();
    stream.offer(bytes(0, 90));
    far.arrived(symbol(near, nearSymbols++));
    stream.offer(bytes(90, 900));
    stream.reset(7);
    exchange();
    CodedStream accepted = accepted();

    assertThat(accepted.resetCode()).isEqualTo(7);
    assertThat(accepted.sending()).isEqualTo(SendingState.RESET);
    assertThat(accepted.receiving()).isEqualTo(ReceivingState.RECEIVING);
    assertThat(read(accepted, 0)).isBetween(1, 90);
    assertThat(accepted.receiving()).isEqualTo(ReceivingState.RESET);
    assertThat(near.count()).isZero();
    assertThat(far.count()).isZero();
  }

  @Test
  void aResetGivesBackWhatHasArrivedCompletelyAndWasNotRead() throws Malformed {
    StreamMemory memory = memory(64 << 20);
    Streams to = new Streams(false, limits(1 << 18, memory), 1 << 20);
    Streams from = new Streams(true, limits(1 << 18, memory(64 << 20)), 1 << 20);
    CodedStream stream = requireNonNull(from.open());
    stream.offer(bytes(0, 100_000));
    stream.end();
    while (from.waits()) {
      to.arrived(symbol(from, nearSymbols++));
    }
    CodedStream accepted = requireNonNull(to.accept());
    assertThat(accepted.receiving()).isEqualTo(ReceivingState.COMPLETE);

    accepted.reset(7);
    to.delivered(farSymbols, 1);
    while (to.waits()) {
      from.arrived(symbol(to, farSymbols++));
    }

    assertThat(accepted.receiving()).isEqualTo(ReceivingState.RESET);
    assertThat(to.count()).isZero();
    assertThat(memory.heldBytes()).isZero();
  }

  @Test
  void aResetThatOvertakesBytesWaitsForThem() throws Malformed {
    CodedStream stream = open();
    stream.offer(bytes(0, 60));
    ByteBuffer late = symbol(near, nearSymbols++);
    stream.reset(7);
    far.arrived(symbol(near, nearSymbols++));
    CodedStream accepted = accepted();
    assertThat(accepted.receiving()).isEqualTo(ReceivingState.RECEIVING);

    far.arrived(late);
    assertThat(read(accepted, 0)).isEqualTo(60);
    assertThat(accepted.receiving()).isEqualTo(ReceivingState.RESET);
  }

  @Test
  void resetsThatMeetAreTheEndOfTheStreamAtBothEnds() throws Malformed {
    CodedStream stream = open();
    stream.offer(bytes(0, 10));
    exchange();
    CodedStream accepted = accepted();
    stream.reset(1);
    accepted.reset(2);
    exchange();
    assertThat(near.count()).isZero();
    assertThat(far.count()).isZero();
  }

  @Test
  void noMoreStreamsThanAllowedAreOpened() {
    for (int i = 0; i < LIMITS.mostStreams(); i++) {
      assertThat(near.open()).isNotNull();
    }
    assertThat(near.open()).isNull();
  }

  @Test
  void aPeerThatExceedsItsBoundsIsRefused() {
    assertMalformed(most -> StreamFrame.writeMost(most, 1, 10)); // Ours, which is not open.
    assertMalformed(many -> StreamFrame.writeMost(many, 2 * 8 * 4 + 2, 10));
    assertMalformed(far -> StreamFrame.writeHead(far, 0, 990, 0xffff, false));
    assertMalformed(beyond -> {
      StreamFrame.writeHead(beyond, 0, 990, 11, false);
      beyond.put(new byte[11]);
    });
    assertMalformed(twice -> {
      for (int i = 0; i < 2; i++) {
        StreamFrame.writeHead(twice, 0, 5, 2, false);
        twice.putShort((short) 0);
      }
    });
    assertMalformed(behindTheEnd -> {
      StreamFrame.writeHead(behindTheEnd, 0, 0, 2, true);
      behindTheEnd.putShort((short) 0);
      StreamFrame.writeHead(behindTheEnd, 0, 2, 1, false);
      behindTheEnd.put((byte) 0);
    });
    assertMalformed(shorterThanSent -> {
      StreamFrame.writeHead(shorterThanSent, 0, 4, 1, false);
      shorterThanSent.put((byte) 0);
      StreamFrame.writeReset(shorterThanSent, 0, 1, 4);
    });
    assertMalformed(unknown -> unknown.put((byte) 0x77));
  }

  private static void assertMalformed(java.util.function.Consumer<ByteBuffer> frames) {
    ByteBuffer content = ByteBuffer.allocate(200);
    frames.accept(content);
    Streams fresh = new Streams(false, LIMITS, WINDOW);
    assertThatThrownBy(() -> fresh.arrived(content.flip())).isInstanceOf(Malformed.class);
  }

  /** Any bytes are either taken or refused as malformed. */
  @Test
  void contentsAtRandomDoNoHarm() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200_000; i++) {
      Streams fresh = new Streams(false, LIMITS, WINDOW);
      byte[] content = new byte[random.nextInt(1, 40)];
      random.nextBytes(content);
      content[0] = (byte) random.nextInt(0x10, 0x14);
      try {
        fresh.arrived(ByteBuffer.wrap(content));
      } catch (Malformed e) {
        continue;
      }
      assertThat(fresh.count()).isLessThanOrEqualTo(4 * LIMITS.mostStreams());
    }
  }

  /** Streams of random lengths, written and read by random steps, over symbols in random order. */
  @Test
  void everyByteArrivesOnceAndInOrder() throws Malformed {
    for (int seed = 0; seed < 20; seed++) {
      new RandomTraffic(seed).run();
    }
  }

  private static final class RandomTraffic {
    private final Random random;
    private final Streams from = new Streams(true, LIMITS, WINDOW);
    private final Streams to = new Streams(false, LIMITS, WINDOW);
    private final List<CodedStream> senders = new ArrayList<>();
    private final int[] length = new int[6];
    private final int[] offered = new int[6];
    private final List<CodedStream> receivers = new ArrayList<>();
    private final int[] read = new int[6];
    private final List<ByteBuffer> under = new ArrayList<>();
    private long symbols;
    private long backSymbols;

    RandomTraffic(int seed) {
      random = new Random(seed);
      for (int i = 0; i < length.length; i++) {
        length[i] = random.nextInt(20_000);
      }
    }

    void run() throws Malformed {
      for (int i = 0; i < length.length; i++) {
        senders.add(requireNonNull(from.open()));
      }
      long now = 0;
      for (int step = 0; step < 200_000 && !(from.count() == 0 && to.count() == 0); step++) {
        now += 1_000_000;
        write(random.nextInt(length.length));
        send();
        CodedStream arrived = to.accept();
        if (arrived != null) {
          receivers.add(arrived);
          arrived.end();
        }
        if (!receivers.isEmpty()) {
          readSome(random.nextInt(receivers.size()), now);
        }
        while (to.waits()) {
          from.arrived(symbol(to, backSymbols++));
        }
        to.delivered(backSymbols, 50_000_000);
      }
      assertThat(read).isEqualTo(length);
      assertThat(receivers).allMatch(each -> each.receiving() == ReceivingState.ENDED);
      assertThat(from.count()).isZero();
      assertThat(to.count()).isZero();
    }

    private void write(int i) {
      CodedStream stream = senders.get(i);
      int part = Math.min(length[i] - offered[i], random.nextInt(1, 700));
      offered[i] += stream.offer(bytes(offered[i], part));
      if (offered[i] == length[i]) {
        stream.end();
      }
    }

    private void send() throws Malformed {
      if (from.waits()) {
        under.add(symbol(from, symbols++));
      }
      boolean isLast = !from.waits();
      if (under.size() > 12 || (isLast && !under.isEmpty())) {
        Collections.shuffle(under, random);
        for (ByteBuffer each : under) {
          to.arrived(each);
        }
        under.clear();
        from.delivered(symbols, 50_000_000);
      }
    }

    private void readSome(int i, long now) {
      ByteBuffer into = ByteBuffer.allocate(random.nextInt(1, 900));
      receivers.get(i).read(into, now);
      into.flip();
      while (into.hasRemaining()) {
        assertThat(into.get()).isEqualTo((byte) (read[i]++ * 31));
      }
    }
  }

  private CodedStream open() {
    return requireNonNull(near.open());
  }

  private CodedStream accepted() {
    return requireNonNull(far.accept());
  }

  private void exchange() throws Malformed {
    while (near.waits() || far.waits()) {
      if (near.waits()) {
        far.arrived(symbol(near, nearSymbols++));
      }
      if (far.waits()) {
        near.arrived(symbol(far, farSymbols++));
      }
    }
    near.delivered(nearSymbols, 50_000_000);
    far.delivered(farSymbols, 50_000_000);
  }

  private static ByteBuffer symbol(Streams from, long id) {
    ByteBuffer content = ByteBuffer.allocate(CONTENT);
    from.fill(id, content);
    assertThat(content.position()).isPositive();
    return content.flip();
  }

  private static ByteBuffer bytes(long offset, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    for (int i = 0; i < count; i++) {
      bytes.put((byte) ((offset + i) * 31));
    }
    return bytes.flip();
  }

  private static int read(CodedStream stream, long offset) {
    ByteBuffer into = ByteBuffer.allocate(10_000);
    int copied = stream.read(into, 1);
    into.flip();
    for (int i = 0; i < copied; i++) {
      assertThat(into.get()).isEqualTo((byte) ((offset + i) * 31));
    }
    return copied;
  }

  /** First credit is given before anybody has looked for room; all together is bounded. */
  @Test
  void isFullWhereStreamsHoldMoreThanThereIsRoomFor() throws Malformed {
    Streams sender = new Streams(true, limits(1 << 20, memory(64 << 20)), WINDOW);
    Streams receiver = new Streams(false, limits(1 << 20, memory(16 << 20)), WINDOW);
    long symbol = 0;
    for (int i = 0; i < 9; i++) {
      CodedStream stream = requireNonNull(sender.open());
      stream.offer(ByteBuffer.allocate(1 << 20));
      while (sender.waits()) {
        ByteBuffer content = ByteBuffer.allocate(1_400);
        sender.fill(symbol++, content);
        receiver.arrived(content.flip());
      }
    }
    assertThat(receiver.isFull()).isTrue();
    ByteBuffer into = ByteBuffer.allocate(1 << 20);
    for (int i = 0; i < 2; i++) {
      assertThat(requireNonNull(receiver.accept()).read(into.clear(), 0)).isEqualTo(1 << 20);
    }
    assertThat(receiver.isFull()).isFalse();
    requireNonNull(receiver.accept()).reset(1);
    assertThat(receiver.isFull()).isFalse();
  }

  private static StreamMemory memory(long bytes) {
    return new StreamMemory(bytes, () -> Long.MAX_VALUE);
  }

  /** Limits of streams with one bound in both directions. */
  private static CodedStreamLimits limits(int bytes, StreamMemory memory) {
    return new CodedStreamLimits(bytes, bytes, bytes, 4_096, memory);
  }

  /** A byte at the end of each stream's credit would make each take all of it. */
  @Test
  void aPeerThatLeavesMoreOutThanAWindowHoldsFails() {
    StreamMemory memory = memory(64 << 20);
    Streams attacked = new Streams(false, limits(1 << 18, memory), 1 << 20);

    assertThatThrownBy(
            () -> {
              for (int stream = 0; stream < 2_000; stream += 2) {
                ByteBuffer content = ByteBuffer.allocate(CONTENT);
                StreamFrame.writeHead(content, stream, (1 << 18) - 1, 1, false);
                content.put((byte) 1);
                attacked.arrived(content.flip());
              }
            })
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("more bytes are missing than a window of symbols holds");
    assertThat(memory.heldBytes()).isLessThanOrEqualTo(2 << 20);
    attacked.close();
    assertThat(memory.heldBytes()).isZero();
  }

  @Test
  void aStreamFarBeyondThoseThatAreOpenFails() throws Malformed {
    Streams attacked = new Streams(false, limits(1_000, memory(64 << 20)), WINDOW);
    attacked.arrived(oneByte(2 * (Streams.MOST_UNACCEPTED - 1)));
    assertThat(attacked.count()).isEqualTo(Streams.MOST_UNACCEPTED);

    assertThatThrownBy(() -> attacked.arrived(oneByte(2 * Streams.MOST_UNACCEPTED)))
        .isInstanceOf(Malformed.class)
        .hasMessageContaining("far beyond those that are open");

    requireNonNull(attacked.accept());
    attacked.arrived(oneByte(2 * Streams.MOST_UNACCEPTED));
  }

  private static ByteBuffer oneByte(long stream) {
    ByteBuffer content = ByteBuffer.allocate(CONTENT);
    StreamFrame.writeHead(content, stream, 0, 1, false);
    return content.put((byte) 1).flip();
  }

  @Test
  void manyStreamsThatStandStillStayWithinTheMemory() throws Malformed {
    StreamMemory memory = memory(32 << 20);
    Streams from = new Streams(true, limits(1 << 18, memory), 1 << 20);
    List<CodedStream> stalled = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      CodedStream stream = requireNonNull(from.open());
      assertThat(stream.offer(ByteBuffer.allocate(1 << 18)))
          .isGreaterThanOrEqualTo(StreamMemory.FLOOR_BYTES);
      stalled.add(stream);
    }
    assertThat(memory.heldBytes()).isLessThanOrEqualTo((32 << 20) + 1_000 * 4_096);
    assertThat(stalled.getFirst().heldBytes()).isEqualTo(1 << 18);

    for (CodedStream stream : stalled) {
      stream.reset(1);
    }
    assertThat(memory.heldBytes()).isZero();
  }

  @Test
  void whatIsEmptyHoldsLittleWhereMemoryIsShort() throws Malformed {
    StreamMemory memory = memory(1 << 20);
    Streams from = new Streams(true, limits(1 << 18, memory), 1 << 20);
    Streams to = new Streams(false, limits(1 << 18, memory), 1 << 20);
    requireNonNull(from.open()).offer(ByteBuffer.allocate(1 << 18));
    requireNonNull(from.open()).offer(ByteBuffer.allocate(1 << 18));
    while (from.waits()) {
      to.arrived(symbol(from, nearSymbols++));
    }
    for (int i = 0; i < 2; i++) {
      requireNonNull(to.accept()).read(ByteBuffer.allocate(1 << 18), 1);
    }
    assertThat(memory.heldBytes()).isLessThanOrEqualTo(1 << 19);
  }

  @Test
  void aStreamForWhichThereIsNoMemoryIsRefused() throws Malformed {
    Streams from = new Streams(true, limits(1_000, memory(1 << 20)), WINDOW);
    Streams to = new Streams(false, limits(1_000, memory(0)), WINDOW);
    List<CodedStream> opened = new ArrayList<>();
    for (int i = 0; i < 65; i++) {
      CodedStream stream = requireNonNull(from.open());
      stream.offer(bytes(0, 10));
      opened.add(stream);
    }
    while (from.waits()) {
      to.arrived(symbol(from, nearSymbols++));
    }
    while (to.waits()) {
      from.arrived(symbol(to, farSymbols++));
    }
    assertThat(opened.getLast().resetCode()).isEqualTo(Streams.REFUSED);
    assertThat(opened.getFirst().resetCode()).isEqualTo(CodedStream.NO_CODE);
  }
}
