package io.cascade.links;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Stages that packets pass in one direction of a link, in this order: a policer, a queue,
 * serialisation at the rate, loss in the middle of the path, propagation delay with jitter. A lost
 * packet has used its time on the wire, as on a real path.
 *
 * @param delay one way, without serialisation and queueing; 0 to 60 s
 * @param bitsPerSecond of IP packets; {@link #UNLIMITED} serialises in no time
 * @param queueBytes most bytes that may wait after the packet that is being serialised, at least
 *     one MTU
 * @param queuePackets most packets that may wait there, whatever their lengths; 0 to count bytes
 * @param loss which packets are lost
 * @param jitter a packet's delay is drawn uniformly from delay ± jitter, then raised to keep the
 *     order; at most the delay
 * @param reorderProbability share of packets that others may overtake
 * @param reorderDelay additional delay of those
 * @param mtu of the sending device, 576 to 9000
 * @param down whether all packets are lost: an outage
 * @param policer drops packets beyond a rate before they reach the queue
 * @param management of the queue before it is full
 */
public record LinkShape(
    Duration delay,
    long bitsPerSecond,
    long queueBytes,
    int queuePackets,
    Loss loss,
    Duration jitter,
    double reorderProbability,
    Duration reorderDelay,
    int mtu,
    boolean down,
    Policer policer,
    QueueManagement management) {
  public static final long UNLIMITED = 0;
  public static final int DEFAULT_MTU = 1_500;

  private static final long LEAST_QUEUE_BYTES = 64 << 10;
  private static final int MOST_QUEUE_PACKETS = 100_000;
  private static final Duration MOST = Duration.ofSeconds(60);

  public LinkShape {
    check(!delay.isNegative() && delay.compareTo(MOST) <= 0, "delay", delay, "0 to 60 s");
    check(
        bitsPerSecond == UNLIMITED || (bitsPerSecond >= 1_000 && bitsPerSecond <= 100_000_000_000L),
        "rate",
        bitsPerSecond,
        "1 kbit/s to 100 Gbit/s, or unlimited");
    check(mtu >= 576 && mtu <= 9_000, "mtu", mtu, "576 to 9000");
    check(
        queueBytes >= mtu && queueBytes <= 1L << 30,
        "queue",
        queueBytes,
        "one MTU to 1 GiB, in bytes");
    check(
        queuePackets >= 0 && queuePackets <= MOST_QUEUE_PACKETS,
        "queue",
        queuePackets,
        "1 to 100000 packets");
    check(!jitter.isNegative() && jitter.compareTo(delay) <= 0, "jitter", jitter, "0 to the delay");
    check(
        reorderProbability >= 0 && reorderProbability <= 1,
        "reorder",
        reorderProbability,
        "0 to 1");
    check(
        !reorderDelay.isNegative() && reorderDelay.compareTo(MOST) <= 0,
        "reorder delay",
        reorderDelay,
        "0 to 60 s");
  }

  /**
   * A link with only a delay and a rate, and a queue of one bandwidth-delay product of its round
   * trip.
   */
  public static LinkShape of(Duration delay, long bitsPerSecond) {
    return new LinkShape(
        delay,
        bitsPerSecond,
        bandwidthDelayBytes(delay.multipliedBy(2), bitsPerSecond),
        0,
        Loss.NONE,
        Duration.ZERO,
        0,
        Duration.ofMillis(1),
        DEFAULT_MTU,
        false,
        Policer.NONE,
        QueueManagement.DROP_TAIL);
  }

  /**
   * Queue of one bandwidth-delay product: 32 Mbit/s and 64 ms are 256,000 bytes. At least 64 KiB,
   * at most 64 MiB.
   */
  public static long bandwidthDelayBytes(Duration roundTrip, long bitsPerSecond) {
    double bytes = bitsPerSecond / 8.0 * roundTrip.toNanos() / 1e9;
    return Math.clamp(Math.round(bytes), LEAST_QUEUE_BYTES, 64L << 20);
  }

  public LinkShape withDelay(Duration value) {
    return with(parts -> parts.delay = value);
  }

  public LinkShape withBitsPerSecond(long value) {
    return with(parts -> parts.bitsPerSecond = value);
  }

  public LinkShape withQueueBytes(long value) {
    return with(parts -> {
      parts.queueBytes = value;
      parts.queuePackets = 0;
    });
  }

  /** Limits the queue to so many packets; in bytes, to so many of the longest. */
  public LinkShape withQueuePackets(int value) {
    return with(parts -> {
      parts.queueBytes = (long) value * mtu;
      parts.queuePackets = value;
    });
  }

  public LinkShape withLoss(Loss value) {
    return with(parts -> parts.loss = value);
  }

  public LinkShape withJitter(Duration value) {
    return with(parts -> parts.jitter = value);
  }

  public LinkShape withReordering(double probability, Duration lateness) {
    return with(parts -> {
      parts.reorderProbability = probability;
      parts.reorderDelay = lateness;
    });
  }

  public LinkShape withMtu(int value) {
    return with(parts -> {
      parts.mtu = value;
      parts.queueBytes = queuePackets > 0 ? (long) queuePackets * value : queueBytes;
    });
  }

  public LinkShape withDown(boolean value) {
    return with(parts -> parts.down = value);
  }

  public LinkShape withPolicer(Policer value) {
    return with(parts -> parts.policer = value);
  }

  public LinkShape withManagement(QueueManagement value) {
    return with(parts -> parts.management = value);
  }

  private LinkShape with(Consumer<Parts> change) {
    Parts parts = new Parts(this);
    change.accept(parts);
    return parts.shape();
  }

  /** The components of a shape while some of them are changed. */
  private static final class Parts {
    private Duration delay;
    private long bitsPerSecond;
    private long queueBytes;
    private int queuePackets;
    private Loss loss;
    private Duration jitter;
    private double reorderProbability;
    private Duration reorderDelay;
    private int mtu;
    private boolean down;
    private Policer policer;
    private QueueManagement management;

    Parts(LinkShape of) {
      delay = of.delay;
      bitsPerSecond = of.bitsPerSecond;
      queueBytes = of.queueBytes;
      queuePackets = of.queuePackets;
      loss = of.loss;
      jitter = of.jitter;
      reorderProbability = of.reorderProbability;
      reorderDelay = of.reorderDelay;
      mtu = of.mtu;
      down = of.down;
      policer = of.policer;
      management = of.management;
    }

    LinkShape shape() {
      return new LinkShape(
          delay,
          bitsPerSecond,
          queueBytes,
          queuePackets,
          loss,
          jitter,
          reorderProbability,
          reorderDelay,
          mtu,
          down,
          policer,
          management);
    }
  }

  private static void check(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }
}
