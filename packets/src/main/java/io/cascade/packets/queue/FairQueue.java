package io.cascade.packets.queue;

import io.cascade.packets.forward.IpPacket;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A queue of packets in which flows take turns by bytes, new ones first, each with its own {@link
 * CoDel}: FQ-CoDel (RFC 8290). If CoDel would drop a packet whose ends support marks, the packet is
 * marked (RFC 3168).
 *
 * <p>If packets leave slowly, the target is the time that a flow's next {@value #PACKETS_OF_A_FLOW}
 * packets take. A delay of less than a packet is impossible (RFC 8290 section 5.2.2 requires at
 * least a packet), and TCP that halves a window of fewer than eight packets keeps fewer than the
 * four that a fast retransmission needs. Flows without a queue do not wait for the others.
 *
 * <p>The last packet that waits is never dropped, so that a caller that was told of a packet gets
 * one.
 */
public final class FairQueue {
  /** Number of buckets into which flows are hashed. */
  public static final int FLOWS = 1_024;

  private static final int QUANTUM_BYTES = 1_514;
  private static final int SMOOTHING = 64;
  static final int PACKETS_OF_A_FLOW = 8;

  /** Packets that leave in a train count as little as those that are held up. */
  private static final int GAP_SMOOTHING = 16;

  private final QueueLimits limits;
  private final long seed;
  private final @Nullable Flow[] flows = new Flow[FLOWS];
  private final ArrayDeque<Flow> newFlows = new ArrayDeque<>();
  private final ArrayDeque<Flow> oldFlows = new ArrayDeque<>();
  private int waiting;
  private int busyFlows;

  private boolean wasBacklogged;
  private long lastLeftNanos;
  private long gapNanos;

  private long taken;
  private long left;
  private long droppedByDelay;
  private long droppedByAge;
  private long droppedByLength;
  private long marked;
  private long meanSojournNanos;

  private record Waiting(IpPacket packet, long sinceNanos) {}

  /** A bucket with its waiting packets. */
  private static final class Flow {
    private final int number;
    private final CoDel delay = new CoDel();
    private final ArrayDeque<Waiting> packets = new ArrayDeque<>();
    private int bytes;
    private int credit;
    private boolean isListed;

    Flow(int number) {
      this.number = number;
    }

    Waiting remove() {
      Waiting first = packets.remove();
      bytes -= first.packet().length();
      return first;
    }
  }

  /**
   * A packet whose turn it is.
   *
   * @param flow its bucket, 0 to {@link #FLOWS} − 1
   */
  public record Next(int flow, IpPacket packet) {}

  /**
   * @param seed of the flows' hash, secret
   */
  public FairQueue(QueueLimits limits, long seed) {
    this.limits = limits;
    this.seed = seed;
  }

  public void add(IpPacket packet, long nowNanos) {
    int number = packet.flowHash(seed) & (FLOWS - 1);
    Flow flow = flows[number];
    if (flow == null) {
      flow = new Flow(number);
      flows[number] = flow;
    }
    busyFlows += flow.packets.isEmpty() ? 1 : 0;
    flow.packets.add(new Waiting(packet, nowNanos));
    flow.bytes += packet.length();
    waiting++;
    taken++;
    if (!flow.isListed) {
      flow.isListed = true;
      flow.credit = QUANTUM_BYTES;
      newFlows.add(flow);
    }
    if (waiting > limits.mostPackets()) {
      dropFromLongest();
    }
  }

  private void dropFromLongest() {
    Flow longest = null;
    for (Flow flow : flows) {
      if (flow != null && (longest == null || flow.bytes > longest.bytes)) {
        longest = flow;
      }
    }
    if (longest != null) {
      remove(longest);
      droppedByLength++;
    }
  }

  private Waiting remove(Flow flow) {
    Waiting first = flow.remove();
    waiting--;
    busyFlows -= flow.packets.isEmpty() ? 1 : 0;
    return first;
  }

  public boolean isEmpty() {
    return waiting == 0;
  }

  /** Returns the next packet; null only if none waits. */
  public @Nullable Next next(long nowNanos) {
    while (waiting > 0) {
      boolean isNew = !newFlows.isEmpty();
      ArrayDeque<Flow> list = isNew ? newFlows : oldFlows;
      Flow flow = list.element();
      if (flow.credit <= 0) {
        flow.credit += QUANTUM_BYTES;
        list.remove();
        oldFlows.add(flow);
      } else if (flow.packets.isEmpty()) {
        list.remove();
        if (isNew && !oldFlows.isEmpty()) {
          oldFlows.add(flow); // A flow that returns at once does not count as new.
        } else {
          flow.isListed = false;
        }
      } else {
        IpPacket packet = leave(flow, nowNanos);
        if (packet != null) {
          flow.credit -= packet.length();
          left++;
          noteGap(nowNanos);
          return new Next(flow.number, packet);
        }
      }
    }
    return null;
  }

  /** Takes a packet out of a flow; null if it was dropped. */
  private @Nullable IpPacket leave(Flow flow, long nowNanos) {
    boolean isLastOfAll = waiting == 1;
    long target = targetNanos();
    Waiting first = remove(flow);
    IpPacket packet = first.packet();
    long sojourn = nowNanos - first.sinceNanos();
    boolean isLast = flow.packets.isEmpty();
    if (!isLastOfAll && sojourn > limits.mostSojournNanos()) {
      droppedByAge++;
      flow.delay.reset();
      return null;
    }
    if (flow.delay.drops(nowNanos, target, intervalNanos(target), sojourn, isLast)) {
      if (!packet.isEcnCapable()) {
        droppedByDelay++;
        return null;
      }
      packet.markCongestion();
      marked++;
    }
    meanSojournNanos += (sojourn - meanSojournNanos) / SMOOTHING;
    return packet;
  }

  /** Records how long it took until a packet left while others waited. */
  private void noteGap(long nowNanos) {
    if (wasBacklogged) {
      long gap = Math.min(nowNanos - lastLeftNanos, limits.intervalNanos());
      gapNanos += (gap - gapNanos) / GAP_SMOOTHING;
    }
    wasBacklogged = waiting > 0;
    lastLeftNanos = nowNanos;
  }

  /** Delay that CoDel aims for at present. */
  long targetNanos() {
    long slow = (long) PACKETS_OF_A_FLOW * Math.max(1, busyFlows) * gapNanos;
    return Math.max(limits.targetNanos(), Math.min(slow, limits.intervalNanos()));
  }

  /** Interval for a target: senders react later if the queue that they leave is longer. */
  private long intervalNanos(long targetNanos) {
    long longer = targetNanos - limits.targetNanos();
    return Math.max(limits.intervalNanos() + longer, 2 * targetNanos);
  }

  public QueueCounts counts() {
    return new QueueCounts(
        taken,
        left,
        droppedByDelay,
        droppedByAge,
        droppedByLength,
        marked,
        waiting,
        meanSojournNanos / 1_000);
  }
}
