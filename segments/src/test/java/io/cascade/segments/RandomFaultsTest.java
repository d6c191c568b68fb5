package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pipes die, stand still, slow down and are replaced at random; every octet arrives, once, in
 * order.
 */
class RandomFaultsTest {
  private static final int SCRIPTS = 500;
  private static final long MINUTE = 60_000 * SimulatedSegment.MILLI;

  @ParameterizedTest
  @EnumSource(Scheduler.class)
  void everyOctetArrivesOnceAndInOrder(Scheduler scheduler) {
    for (long seed = 0; seed < SCRIPTS; seed++) {
      script(scheduler, seed);
    }
  }

  private static void script(Scheduler scheduler, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int capacity = FrameCodec.MOST_DATA << random.nextInt(5);
    SimulatedSegment segment =
        new SimulatedSegment(new SegmentStream.Settings(capacity, MINUTE, scheduler), seed);
    segment.left.toWrite = random.nextInt(1 << (10 + random.nextInt(11)));
    segment.right.toWrite = random.nextInt(1 << (10 + random.nextInt(9)));
    int pipes = 1 + random.nextInt(3);
    for (int i = 0; i < pipes; i++) {
      join(segment, random);
    }
    int faults = random.nextInt(12);
    for (int i = 0; i < faults; i++) {
      segment.at(random.nextLong(3_000 * SimulatedSegment.MILLI), () -> fault(segment, random));
    }
    // Whatever happened, there is a way in the end.
    segment.at(
        3_500 * SimulatedSegment.MILLI,
        () -> {
          segment.pipes.forEach(SimulatedSegment.Pipe::resume);
          join(segment, random);
        });
    segment.run(20 * MINUTE);

    for (SimulatedSegment.Side side : new SimulatedSegment.Side[] {segment.left, segment.right}) {
      assertThat(side.stream.failure()).as("%s, seed %d, %s", scheduler, seed, side.name).isNull();
      assertThat(side.correct).as("%s, seed %d, %s", scheduler, seed, side.name).isTrue();
      assertThat(side.sawCleanEnd)
          .as("%s, seed %d, %s: %s", scheduler, seed, side.name, side.stream.state())
          .isTrue();
      assertThat(side.stream.state())
          .as("%s, seed %d, %s", scheduler, seed, side.name)
          .isEqualTo(StreamState.CLOSED);
      assertThat(side.stream.heldBytes()).isLessThanOrEqualTo(2L * ByteWindow.CHUNK_BYTES);
    }
    assertThat(segment.left.read).isEqualTo(segment.right.toWrite);
    assertThat(segment.right.read).isEqualTo(segment.left.toWrite);
  }

  private static void join(SimulatedSegment segment, SplittableRandom random) {
    if (segment.left.stream.over() || segment.right.stream.over()) {
      return;
    }
    double octetsPerNano = Math.pow(10, -4 + 3 * random.nextDouble()); // 100 kB/s to 100 MB/s
    long delay = (1 + random.nextLong(100)) * SimulatedSegment.MILLI;
    segment.join(octetsPerNano, delay);
  }

  private static void fault(SimulatedSegment segment, SplittableRandom random) {
    SimulatedSegment.Pipe pipe = segment.pipes.get(random.nextInt(segment.pipes.size()));
    switch (random.nextInt(6)) {
      case 0 -> pipe.die();
      case 1 -> pipe.pause();
      case 2 -> pipe.resume();
      case 3 -> pipe.octetsPerNano = Math.max(5e-5, pipe.octetsPerNano / 10);
      case 4 -> {
        boolean _ = pipe.withdraw();
      }
      default -> join(segment, random);
    }
    checkAccount(segment.left.stream, segment.right.stream);
    checkAccount(segment.right.stream, segment.left.stream);
  }

  /** What is in no flight and waits for none is at the receiver. */
  private static void checkAccount(SegmentStream from, SegmentStream to) {
    Ranges missing = from.sender().unaccounted();
    for (Ranges.Range range = missing.first(); range != null; range = missing.from(range.end())) {
      for (long offset = range.start(); offset < range.end(); offset++) {
        assertThat(to.receiver().has(offset)).as("offset %d", offset).isTrue();
      }
    }
  }
}
