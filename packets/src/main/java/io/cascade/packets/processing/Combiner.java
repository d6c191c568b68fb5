package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Restores the order of one direction of a connection after several pipes. A gap counts as lost
 * when every pipe has delivered something after it (comparison, the source's section 2.1 after
 * BAG): pipes keep their order, so the missing packet is lost. A pipe that delivers nothing gives
 * no information; then a timer decides. Held packets are then delivered at once, so that the
 * receiver reports the loss to the sender.
 */
final class Combiner {
  /** Bound per connection: more than different delays fill at 100 Mbit/s. */
  private static final int MOST_HELD_BYTES = 4 << 20;

  /** Larger than any receiver's window: packets further ahead are stale or forged. */
  private static final int MOST_AHEAD_BYTES = 16 << 20;

  private final BringingPipes bringing;
  private final HeldBudget budget;
  private final GapPatience patience = new GapPatience();

  /** Keys are offsets. */
  private final TreeMap<Long, Held> held = new TreeMap<>();

  private final Deque<TcpPacket> ready = new ArrayDeque<>();
  private final boolean[] delivered = new boolean[Pipes.MOST];
  private final long[] furthest = new long[Pipes.MOST];

  private @Nullable SequenceSpace space;

  /** Offset of the next octet to deliver. */
  private long expected;

  private long gapSinceNanos;
  private long nowNanos;
  private int heldBytes;
  private long byComparison;
  private long byTimer;
  private long byMemory;

  private record Held(TcpPacket packet, long end, long arrivedNanos) {}

  Combiner(PipeSet pipes, HeldBudget budget) {
    this.bringing = new BringingPipes(pipes);
    this.budget = budget;
  }

  Operation inbound(TcpPacket packet, PipeId from, long now) {
    nowNanos = now;
    if (packet.syn()) {
      start(packet.endSequence()); // A SYN may contain data (RFC 7413).
      return new Operation.DeliverNear();
    }
    int octets = packet.endSequence() - packet.sequence();
    if (packet.rst() || octets == 0) {
      return new Operation.DeliverNear();
    }
    if (space == null) {
      space = new SequenceSpace(packet.sequence());
    }
    space.moveTo(expected);
    long at = space.offset(packet.sequence());
    if (at - expected > MOST_AHEAD_BYTES) {
      return new Operation.DeliverNear(); // The receiver decides what it is.
    }
    long end = at + octets;
    arrived(from, end);
    if (at > expected) {
      hold(packet, at, end);
      giveUpByComparison();
      return new Operation.Delay();
    }
    boolean fills = !held.isEmpty() && end > expected;
    if (fills) {
      patience.filled(nowNanos - gapSinceNanos);
    }
    expected = Math.max(expected, end);
    if (fills) {
      drain();
      giveUpByComparison();
    }
    return new Operation.DeliverNear();
  }

  /** Sets the first octet of all, unless something was already delivered. */
  void start(int sequence) {
    if (space == null) {
      space = new SequenceSpace(sequence);
    }
  }

  private void arrived(PipeId from, long end) {
    int pipe = from.number();
    furthest[pipe] = delivered[pipe] ? Math.max(furthest[pipe], end) : end;
    delivered[pipe] = true;
    bringing.brought(from, nowNanos);
  }

  private void hold(TcpPacket packet, long at, long end) {
    int bytes = packet.bytes().length;
    if (held.isEmpty()) {
      gapSinceNanos = nowNanos;
    }
    if (held.containsKey(at)) {
      return; // A repetition.
    }
    if (heldBytes + bytes > MOST_HELD_BYTES || !budget.take(bytes)) {
      byMemory++;
      flush();
      ready.add(packet);
      expected = Math.max(expected, end);
      return;
    }
    heldBytes += bytes;
    held.put(at, new Held(packet, end, nowNanos));
  }

  /**
   * Advances over what is in order. The age of the following gap is that of the packet after it.
   */
  private void drain() {
    while (!held.isEmpty() && held.firstKey() <= expected) {
      takeFirst();
    }
    if (!held.isEmpty()) {
      gapSinceNanos = held.firstEntry().getValue().arrivedNanos();
    }
  }

  private void takeFirst() {
    Map.Entry<Long, Held> first = held.pollFirstEntry();
    int bytes = first.getValue().packet().bytes().length;
    heldBytes -= bytes;
    budget.giveBack(bytes, nowNanos - first.getValue().arrivedNanos());
    ready.add(first.getValue().packet());
    expected = Math.max(expected, first.getValue().end());
  }

  private void giveUpByComparison() {
    List<Pipe> pipes = bringing.all(nowNanos);
    while (!held.isEmpty() && arePast(pipes)) {
      byComparison++;
      giveUp();
    }
  }

  private void giveUp() {
    expected = held.firstKey();
    drain();
  }

  private boolean arePast(List<Pipe> pipes) {
    for (Pipe pipe : pipes) {
      int number = pipe.id().number();
      if (!(delivered[number] && furthest[number] > expected)) {
        return false;
      }
    }
    return true;
  }

  /** Stops waiting for gaps that are old enough at a time, which may be before the latest one. */
  void release(long byNanos, Consumer<TcpPacket> near) {
    nowNanos = Math.max(nowNanos, byNanos);
    List<Pipe> pipes = bringing.all(nowNanos);
    while (!held.isEmpty() && byNanos - gapSinceNanos >= patience.nanos(pipes)) {
      byTimer++;
      giveUp();
      giveUpByComparison();
    }
    handOut(near);
  }

  void flush(Consumer<TcpPacket> near) {
    flush();
    handOut(near);
  }

  private void flush() {
    while (!held.isEmpty()) {
      expected = Math.max(expected, held.firstKey());
      drain();
    }
  }

  void handOut(Consumer<TcpPacket> near) {
    List<TcpPacket> due = new ArrayList<>(ready);
    ready.clear();
    due.forEach(near);
  }

  long nextNanos() {
    return held.isEmpty()
        ? DataAckProcessor.NEVER
        : gapSinceNanos + patience.nanos(bringing.all(nowNanos));
  }

  ProcessorCounts counts() {
    return new ProcessorCounts(0, 0, byComparison, byTimer, byMemory);
  }
}
