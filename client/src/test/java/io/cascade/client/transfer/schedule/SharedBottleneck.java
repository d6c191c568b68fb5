package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.schedule.BlockLedger.Range;
import io.cascade.client.transfer.schedule.BlockSchedule.Action;
import io.cascade.client.transfer.schedule.BlockSchedule.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One transfer whose connections leave through the same FIFO queue of 64 KiB. Each is sent by a
 * window that doubles each round trip until a packet is lost or the round trip has grown by an
 * eighth and 4 ms (HyStart, RFC 9406), then grows by a packet a round trip and keeps 0.7 of itself
 * at a loss.
 */
final class SharedBottleneck {
  private static final int PACKET = 1_448;
  private static final int BLOCK = 64 * 1024;
  private static final double QUEUE_BYTES = 64 * 1024;
  private static final int INITIAL_WINDOW = 10;
  private static final double LEFT_AT_A_LOSS = 0.7;

  /** Packets a round trip: CUBIC beside Reno, RFC 9438, section 4.3. */
  private static final double GROWTH = 0.53;

  /** What a socket's send buffer holds that was not sent, in bytes. */
  private static final int UNSENT = 4 * BLOCK;

  private final BlockLedger<Integer> ledger = new BlockLedger<>();
  private final BlockSchedule<Integer> schedule = new BlockSchedule<>(ledger);
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Sender> senders = new ArrayList<>();
  private final double packetSeconds;
  private final long bytes;
  private final boolean preferred;
  private final Random random;
  private double freeAt;
  private long read;
  private long order;

  /**
   * A way.
   *
   * @param millis round trip of its sender's connection
   * @param behindMillis what the way behind it adds until a receipt is back
   * @param loss of packets behind the queue
   * @param joinsSeconds when the transfer gets it
   */
  record Way(double millis, double behindMillis, double loss, double joinsSeconds) {}

  private record Event(double at, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int first = Double.compare(at, other.at);
      return first != 0 ? first : Long.compare(order, other.order);
    }
  }

  private static final class Unsent {
    final Range block;
    int packets;
    int missing;

    Unsent(Range block) {
      this.block = block;
      this.packets = (block.length() + PACKET - 1) / PACKET;
      this.missing = packets;
    }
  }

  private static final class Sender {
    final Way way;
    final ArrayDeque<Unsent> queue = new ArrayDeque<>();
    double window = INITIAL_WINDOW;
    double threshold = Double.POSITIVE_INFINITY;
    int inFlight;
    double recoveredAt;
    double leastWait = Double.POSITIVE_INFINITY;
    boolean joined;
    boolean finished;

    Sender(Way way) {
      this.way = way;
    }

    long unsentBytes() {
      return queue.stream().mapToLong(one -> (long) one.packets * PACKET).sum();
    }
  }

  /**
   * @param preferred whether the last one of the ways is
   */
  SharedBottleneck(double megabits, long bytes, boolean preferred, long seed, Way... ways) {
    this.packetSeconds = PACKET * 8 / megabits / 1e6;
    this.bytes = bytes;
    this.preferred = preferred;
    this.random = new Random(seed);
    for (Way way : ways) {
      senders.add(new Sender(way));
    }
  }

  /** From the first way's beginning on. */
  double seconds() {
    for (int i = 0; i < senders.size(); i++) {
      int index = i;
      at(senders.get(i).way.joinsSeconds(), () -> join(index));
    }
    at(0.1, () -> lookAgain(0.1));
    double now = 0;
    while (ledger.arrivedBytes() < bytes) {
      Event next = events.remove();
      now = next.at();
      assertThat(now).as("ends").isLessThan(10_000);
      next.what().run();
    }
    return now - senders.getFirst().way.joinsSeconds();
  }

  private void at(double seconds, Runnable what) {
    events.add(new Event(seconds, order++, what));
  }

  private void join(int index) {
    Sender sender = senders.get(index);
    double now = sender.way.joinsSeconds();
    long nanos = nanos(now);
    sender.joined = true;
    schedule.join(index, new Pace(nanos), preferred && index + 1 == senders.size(), nanos);
    fill(now);
  }

  private void lookAgain(double now) {
    fill(now);
    at(now + 0.1, () -> lookAgain(now + 0.1));
  }

  private void fill(double now) {
    for (int i = 0; i < senders.size(); i++) {
      Sender sender = senders.get(i);
      while (sender.joined && !sender.finished && sender.unsentBytes() < UNSENT) {
        Range block = next(i, sender, nanos(now));
        if (block == null) {
          break;
        }
        sender.queue.add(new Unsent(block));
      }
      send(i, now);
    }
  }

  private @Nullable Range next(int index, Sender sender, long now) {
    Step step = schedule.next(index, bytes - read, read == bytes, BLOCK, true, now);
    if (step.action() == Action.FINISH) {
      sender.finished = true;
      return null;
    }
    if (step.action() != Action.READ) {
      return step.block();
    }
    Range block = new Range(read, (int) Math.min(BLOCK, bytes - read));
    read += block.length();
    ledger.sent(index, block, now);
    return block;
  }

  private void send(int index, double now) {
    Sender sender = senders.get(index);
    while (sender.inFlight < sender.window && !sender.queue.isEmpty()) {
      Unsent head = sender.queue.element();
      if (--head.packets == 0) {
        sender.queue.remove();
      }
      sender.inFlight++;
      packet(index, head, now);
    }
  }

  private void packet(int index, Unsent block, double now) {
    Sender sender = senders.get(index);
    double wait = Math.max(0, freeAt - now);
    double back = sender.way.millis() / 1e3;
    if (wait / packetSeconds * PACKET > QUEUE_BYTES) {
      at(now + wait + back, () -> lost(index, block, now + wait + back));
      return;
    }
    freeAt = now + wait + packetSeconds;
    double acked = freeAt + back;
    if (random.nextDouble() < sender.way.loss()) {
      at(acked, () -> lost(index, block, acked));
    } else {
      at(acked, () -> acked(index, block, wait, acked));
    }
  }

  private void acked(int index, Unsent block, double wait, double now) {
    Sender sender = senders.get(index);
    sender.inFlight--;
    sender.leastWait = Math.min(sender.leastWait, wait);
    if (sender.window < sender.threshold) {
      sender.window += 1;
      double delay = sender.way.millis() / 1e3;
      if (sender.window >= 16 && wait - sender.leastWait > Math.max(0.004, delay / 8)) {
        sender.threshold = sender.window;
      }
    } else {
      sender.window += GROWTH / sender.window;
    }
    if (--block.missing == 0) {
      double receipt = now + sender.way.behindMillis() / 1e3;
      at(receipt, () -> arrived(index, block.block, receipt));
    }
    fill(now);
  }

  private void lost(int index, Unsent block, double now) {
    Sender sender = senders.get(index);
    sender.inFlight--;
    if (now >= sender.recoveredAt) {
      sender.window = Math.max(2, LEFT_AT_A_LOSS * sender.window);
      sender.threshold = sender.window;
      sender.recoveredAt = now + sender.way.millis() / 1e3;
    }
    sender.inFlight++;
    packet(index, block, now);
    fill(now);
  }

  private void arrived(int index, Range block, double now) {
    assertThat(ledger.arrived(index, block, nanos(now))).isPresent();
    fill(now);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
