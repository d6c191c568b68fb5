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
 * Puts one direction of a connection back in order behind several pipes. A gap is given up when
 * every pipe has delivered something behind it (comparison, the source's section 2.1 after BAG):
 * pipes keep their order, so the missing packet is lost. A pipe that delivers nothing says nothing;
 * then a timer decides. What is held is delivered at once then, so that the receiver tells the
 * sender what is missing.
 */
final class Combiner {
  /** The limit of one connection: more than what delays that differ fill at 100 Mbit/s. */
  private static final int MOST_HELD_BYTES = 4 << 20;

  /** No receiver's window is as large: what is further ahead is stale or forged. */
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

  /** Offset of the next octet that is to be delivered. */
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
      start(packet.endSequence()); // A SYN may bring data (RFC 7413).
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
      return new Operation.DeliverNear(); // The receiver knows better what it is.
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

  /** Says which octet is the first of all, unless something was delivered already. */
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
      return; // The same once more.
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

  /** Moves on what is in order by now. The gap behind it is as old as what stands behind that. */
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

  /**
   * Gives up what has been waited for long enough by a time, which may be before the latest one.
   */
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
