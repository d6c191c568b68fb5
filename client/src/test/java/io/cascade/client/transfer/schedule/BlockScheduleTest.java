package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.client.transfer.schedule.BlockLedger.Range;
import io.cascade.client.transfer.schedule.BlockSchedule.Action;
import io.cascade.client.transfer.schedule.BlockSchedule.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers over links of a steady rate, in virtual time. */
class BlockScheduleTest {
  private static final int BLOCK = 64 * 1024;
  private static final long FILE = 20_000_000;

  @Test
  void oneConnectionTakesWhateverItsSocketTakes() {
    BlockLedger<String> ledger = new BlockLedger<>();
    BlockSchedule<String> schedule = new BlockSchedule<>(ledger);
    ledger.add("direct", new Pace(0));
    for (int i = 0; i < 100; i++) {
      assertThat(schedule.next("direct", FILE, false, BLOCK, true, 0).action())
          .isEqualTo(Action.READ);
      ledger.sent("direct", new Range((long) i * BLOCK, BLOCK), 0);
    }
  }

  @Test
  void aConnectionThatHasGoneDoesNothing() {
    BlockSchedule<String> schedule = new BlockSchedule<>(new BlockLedger<>());

    assertThat(schedule.next("direct", FILE, false, BLOCK, true, 0).action())
        .isEqualTo(Action.WAIT);
  }

  /** Rate in Mbit/s and round trip in milliseconds. */
  @ParameterizedTest
  @CsvSource({
    "10, 40, 10, 40",
    "10, 40, 10, 300",
    "10, 40, 5, 40",
    "20, 250, 4, 40",
    "50, 80, 5, 20",
  })
  void connectionsTogetherCarryTheSum(
      double oneMegabits, int oneMillis, double otherMegabits, int otherMillis) {
    Link one = new Link(oneMegabits, oneMillis);
    Link other = new Link(otherMegabits, otherMillis);

    double seconds = new Run(FILE, one, other).seconds();

    double together = 8 * FILE / 1e6 / (oneMegabits + otherMegabits);
    assertThat(seconds).isBetween(together, 1.08 * together + 0.6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.3, 1, 5})
  void aSlowConnectionNeverDelaysTheEnd(double slowMegabits) {
    Link quick = new Link(20, 60);

    double seconds = new Run(FILE, quick, new Link(slowMegabits, 400)).seconds();

    double alone = new Run(FILE, quick).seconds();
    assertThat(seconds).isLessThan(1.03 * alone);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aConnectionThatStallsCostsNoMoreThanItHasUnderWay(boolean first) {
    Link steady = new Link(10, 60);
    Link stalling = new Link(10, 60, 5);

    double seconds =
        (first ? new Run(FILE, stalling, steady) : new Run(FILE, steady, stalling)).seconds();

    // 5 s at 20 Mbit/s, then the rest at 10.
    assertThat(seconds).isCloseTo(5 + (8 * FILE / 1e6 - 100) / 10, within(1.0));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void anyLinksTogetherAreNoSlowerThanTheBestAlone(long seed) {
    Random random = new Random(seed);
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      links.add(new Link(0.2 * Math.pow(2, 8 * random.nextDouble()), 5 + random.nextInt(400)));
    }
    long bytes = 1_000_000L + random.nextInt(20_000_000);

    double seconds = new Run(bytes, links.toArray(Link[]::new)).seconds();

    double best = links.stream().mapToDouble(one -> new Run(bytes, one).seconds()).min().orElse(0);
    assertThat(seconds).as("%s", links).isLessThan(1.1 * best + 0.3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void aPreferredConnectionCostsLittleWhateverItCarries(long seed) {
    Random random = new Random(seed);
    Link first = new Link(2 * Math.pow(2, 5 * random.nextDouble()), 5 + random.nextInt(300));
    Link preferred = new Link(2 * Math.pow(2, 5 * random.nextDouble()), 5 + random.nextInt(300));
    long bytes = Math.round(1e6 / 8 * first.megabits() * 15);

    double seconds = new Run(bytes, 1, first, preferred).seconds();

    double best = Math.min(new Run(bytes, first).seconds(), new Run(bytes, preferred).seconds());
    assertThat(seconds).as("%s, %s", first, preferred).isLessThan(1.05 * best + 0.3);
  }

  /**
   * Delivers at a steady rate after half its round trip; receipts take the other half.
   *
   * @param stallsAfterSeconds at which nothing arrives any more
   */
  private record Link(double megabits, int rttMillis, double stallsAfterSeconds) {
    Link(double megabits, int rttMillis) {
      this(megabits, rttMillis, Double.POSITIVE_INFINITY);
    }
  }

  /** One transfer. Sockets take all that they are given. */
  private static final class Run {
    private final BlockLedger<Integer> ledger = new BlockLedger<>();
    private final BlockSchedule<Integer> schedule = new BlockSchedule<>(ledger);
    private final PriorityQueue<Event> events =
        new PriorityQueue<>((one, other) -> Long.compare(one.atNanos(), other.atNanos()));
    private final List<Link> links;
    private final long[] freeAt;
    private final Set<Integer> finished = new HashSet<>();
    private final long bytes;
    private long read;

    /**
     * A receipt.
     *
     * @param block null where the connections only look again
     */
    private record Event(long atNanos, int link, @Nullable Range block) {}

    Run(long bytes, Link... links) {
      this(bytes, -1, links);
    }

    Run(long bytes, int preferred, Link... links) {
      this.bytes = bytes;
      this.links = List.of(links);
      this.freeAt = new long[links.length];
      for (int i = 0; i < links.length; i++) {
        schedule.join(i, new Pace(0), preferred == i, 0);
      }
    }

    double seconds() {
      send(0);
      events.add(new Event(100_000_000, 0, null));
      long now = 0;
      while (ledger.arrivedBytes() < bytes) {
        Event next = events.remove();
        now = next.atNanos();
        assertThat(now).as("ends").isLessThan(10_000_000_000_000L);
        if (next.block() == null) {
          events.add(new Event(now + 100_000_000, 0, null));
        } else {
          assertThat(ledger.arrived(next.link(), next.block(), now)).isPresent();
        }
        send(now);
      }
      return now / 1e9;
    }

    private void send(long now) {
      for (int link = 0; link < links.size(); link++) {
        // As a socket's buffer: half a second of the link.
        while (!finished.contains(link) && freeAt[link] - now < 500_000_000) {
          Step step = schedule.next(link, bytes - read, read == bytes, BLOCK, true, now);
          if (step.action() == Action.WAIT) {
            break;
          }
          if (step.action() == Action.FINISH) {
            finished.add(link);
            break;
          }
          Range block = step.block();
          if (block == null) {
            block = new Range(read, (int) Math.min(BLOCK, bytes - read));
            read += block.length();
            ledger.sent(link, block, now);
          }
          carry(link, block, now);
        }
      }
    }

    private void carry(int index, Range block, long now) {
      Link link = links.get(index);
      long nanos = Math.round(8e3 * block.length() / link.megabits());
      freeAt[index] = Math.max(freeAt[index], now) + nanos;
      if (freeAt[index] < link.stallsAfterSeconds() * 1e9) {
        events.add(new Event(freeAt[index] + link.rttMillis() * 1_000_000L, index, block));
      }
    }
  }
}
