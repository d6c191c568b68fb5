package io.cascade.links;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: accepts packets, and determines when each of them is delivered. Uses no
 * clock; all times are passed in, as nanoseconds that never decrease, so that the same packets at
 * the same times have the same result. Used by one thread.
 *
 * <pre>
 *  take ─▶ policer ─▶ queue ─▶ one packet being serialised ─▶ lost? ─▶ travelling ─▶ take out
 * </pre>
 *
 * The rate alone determines when a packet has been serialised, not the time of a call: a late call
 * delays only the delivery of what it finds.
 */
public final class LinkDirection {
  public static final long NEVER = Long.MAX_VALUE;

  private final PacketPool pool;
  private final PacketRing waiting = new PacketRing();
  private final PacketRing travelling = new PacketRing();
  private final PacketRing late = new PacketRing();
  private final LossProcess loss;
  private final SplittableRandom jitterDraws;
  private final SplittableRandom reorderDraws;
  private final SplittableRandom pieDraws;
  private final Policer.Bucket bucket = new Policer.Bucket();

  private LinkShape shape;
  private double nanosPerByte;
  private long delayNanos;
  private long jitterNanos;
  private long reorderNanos;

  /** Time at which the first waiting packet will have been serialised. */
  private long serialisedNanos;

  private long queueBytes;
  private @Nullable PieControl pie;
  private long pieNanos;
  private long lastDueNanos = Long.MIN_VALUE;
  private long lastLateNanos = Long.MIN_VALUE;

  private long takenPackets;
  private long takenBytes;
  private long forwardedPackets;
  private long forwardedBytes;
  private long lostPackets;
  private long droppedPackets;
  private long overflowedPackets;
  private long policedPackets;
  private long earlyPackets;
  private long markedPackets;

  public LinkDirection(LinkShape shape, PacketPool pool, long seed, long startNanos) {
    this.pool = pool;
    this.shape = shape;
    // Separate streams, so that a change of one parameter does not change the other draws.
    SplittableRandom seeds = new SplittableRandom(seed);
    this.loss = new LossProcess(shape.loss(), seeds.nextLong());
    this.jitterDraws = new SplittableRandom(seeds.nextLong());
    this.reorderDraws = new SplittableRandom(seeds.nextLong());
    this.pieDraws = new SplittableRandom(seeds.nextLong());
    bucket.become(shape.policer(), startNanos);
    manageQueue(startNanos);
    become(shape);
  }

  /**
   * Changes the shape from now on. Packets that are being serialised or are in flight keep theirs.
   */
  public void reshape(long nowNanos, LinkShape next) {
    settle(nowNanos);
    loss.become(next.loss());
    if (!next.policer().equals(shape.policer())) {
      bucket.become(next.policer(), nowNanos);
    }
    boolean isManagedAnew = !next.management().equals(shape.management());
    become(next);
    if (isManagedAnew) {
      manageQueue(nowNanos);
    }
  }

  private void manageQueue(long nowNanos) {
    pie =
        shape.management() instanceof QueueManagement.Pie settings
            ? new PieControl(settings.target().toNanos(), pieDraws)
            : null;
    pieNanos = nowNanos + PieControl.UPDATE_NANOS;
  }

  private void become(LinkShape next) {
    shape = next;
    nanosPerByte = next.bitsPerSecond() == LinkShape.UNLIMITED ? 0 : 8e9 / next.bitsPerSecond();
    delayNanos = next.delay().toNanos();
    jitterNanos = next.jitter().toNanos();
    reorderNanos = next.reorderDelay().toNanos();
  }

  public LinkShape shape() {
    return shape;
  }

  /** Takes over a packet in a slot of the pool. */
  public void take(long nowNanos, int slot, int length) {
    settle(nowNanos);
    takenPackets++;
    takenBytes += length;
    if (!bucket.passes(nowNanos, length)) {
      policedPackets++;
      pool.giveBack(slot);
    } else if (waiting.isEmpty()) {
      waiting.add(slot, length, nowNanos);
      serialisedNanos = nowNanos + serialisation(length);
      settle(nowNanos);
    } else if (!hasRoom(length)) {
      droppedPackets++;
      pool.giveBack(slot);
    } else if (isDroppedEarly(slot, length)) {
      earlyPackets++;
      pool.giveBack(slot);
    } else {
      waiting.add(slot, length, nowNanos);
      queueBytes += length;
    }
  }

  /** Whether the queue after the packet that is being serialised has room for another one. */
  private boolean hasRoom(int length) {
    return shape.queuePackets() > 0
        ? waiting.size() - 1 < shape.queuePackets()
        : queueBytes + length <= shape.queueBytes();
  }

  private boolean isDroppedEarly(int slot, int length) {
    PieControl control = pie;
    if (control == null || !control.drops(queueBytes)) {
      return false;
    }
    boolean isMarked =
        shape.management() instanceof QueueManagement.Pie settings
            && settings.ecn()
            && control.marks()
            && EcnMark.set(pool.packet(slot, length));
    markedPackets += isMarked ? 1 : 0;
    return !isMarked;
  }

  /** Counts a packet for which there was no slot. */
  public void overflow() {
    overflowedPackets++;
  }

  /**
   * Whether a packet is due for delivery; then {@link #dueSlot} and {@link #dueLength} describe it,
   * and {@link #forwarded} or {@link #refused} must follow.
   */
  public boolean isDue(long nowNanos) {
    settle(nowNanos);
    return (!travelling.isEmpty() && travelling.firstTime() <= nowNanos)
        || (!late.isEmpty() && late.firstTime() <= nowNanos);
  }

  public int dueSlot() {
    return due().firstSlot();
  }

  public int dueLength() {
    return due().firstLength();
  }

  public void forwarded() {
    forwardedPackets++;
    forwardedBytes += dueLength();
    removeDue();
  }

  /** The far end refused the packet that is due. */
  public void refused() {
    overflowedPackets++;
    removeDue();
  }

  private void removeDue() {
    PacketRing ring = due();
    pool.giveBack(ring.firstSlot());
    ring.removeFirst();
  }

  private PacketRing due() {
    if (late.isEmpty()) {
      return travelling;
    }
    return !travelling.isEmpty() && travelling.firstTime() <= late.firstTime() ? travelling : late;
  }

  /** Time of the next event, unless a packet arrives before. */
  public long nextNanos() {
    long next = travelling.isEmpty() ? NEVER : travelling.firstTime();
    if (!late.isEmpty()) {
      next = Math.min(next, late.firstTime());
    }
    if (next == NEVER && !waiting.isEmpty()) {
      // It cannot be delivered earlier than this.
      next = serialisedNanos + delayNanos - jitterNanos;
    }
    return next;
  }

  /** Processes what has been serialised by now, including the queue's management. */
  private void settle(long nowNanos) {
    PieControl control = pie;
    while (control != null && pieNanos <= nowNanos) {
      if (waiting.isEmpty() && control.isAtRest()) {
        pieNanos = nowNanos;
      }
      serialise(pieNanos);
      control.update(
          waiting.isEmpty() ? 0 : serialisedNanos - pieNanos + queueBytes * nanosPerByte);
      pieNanos += PieControl.UPDATE_NANOS;
    }
    serialise(nowNanos);
  }

  private void serialise(long nowNanos) {
    while (!waiting.isEmpty() && serialisedNanos <= nowNanos) {
      int slot = waiting.firstSlot();
      int length = waiting.firstLength();
      waiting.removeFirst();
      cross(serialisedNanos, slot, length);
      if (!waiting.isEmpty()) {
        int next = waiting.firstLength();
        queueBytes -= next;
        serialisedNanos += serialisation(next);
      }
    }
  }

  private void cross(long departureNanos, int slot, int length) {
    // Drawn during an outage, too: so the same packets are lost before and after it, however long
    // it was.
    boolean drawn = loss.loses();
    if (drawn || shape.down()) {
      lostPackets++;
      pool.giveBack(slot);
      return;
    }
    long due = departureNanos + delayNanos;
    if (jitterNanos > 0) {
      due += jitterDraws.nextLong(-jitterNanos, jitterNanos + 1);
    }
    if (shape.reorderProbability() > 0 && reorderDraws.nextDouble() < shape.reorderProbability()) {
      lastLateNanos = Math.max(due + reorderNanos, lastLateNanos);
      late.add(slot, length, lastLateNanos);
    } else {
      lastDueNanos = Math.max(due, lastDueNanos);
      travelling.add(slot, length, lastDueNanos);
    }
  }

  private long serialisation(int length) {
    return Math.round(length * nanosPerByte);
  }

  public DirectionStatistics statistics(long nowNanos) {
    settle(nowNanos);
    return new DirectionStatistics(
        takenPackets,
        takenBytes,
        forwardedPackets,
        forwardedBytes,
        lostPackets,
        droppedPackets,
        overflowedPackets,
        policedPackets,
        earlyPackets,
        markedPackets,
        queueBytes);
  }
}
