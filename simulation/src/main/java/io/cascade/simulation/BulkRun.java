package io.cascade.simulation;

import io.cascade.coding.control.FixedRate;
import io.cascade.coding.control.RateController;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.Arrays;

/**
 * One coded session that always has data to send, alone on a link, in virtual time: its throughput,
 * how long packets queue, and how long symbols wait for order.
 */
public final class BulkRun {
  /** Bytes of the IP packet that carries a full symbol. */
  public static final int PACKET_BYTES = 1_500;

  /** The largest share of a link's rate that can be payload. */
  public static final double PAYLOAD_SHARE = 0.957;

  private static final int CONTENT_BYTES = 32;
  private static final int SOURCE_TYPE = 0;

  /** Symbols, as at relays. */
  private static final int WINDOW = 4_096;

  private static final double PERCENTILE = 0.99;

  private final CodedEndpoint near;
  private final CodedEndpoint far;
  private final VirtualNetwork network;
  private final double bitsPerSecond;
  private final Duration roundTrip;
  private final Loss loss;

  /**
   * Time at which each symbol's first packet left the link, whether or not it was lost afterwards.
   */
  private long[] exitNanos = new long[1 << 16];

  private final Waits waits = new Waits();
  private double queueNanos;
  private long queueSamples;

  /**
   * @param bitsPerSecond of IP packets, in both directions
   * @param bufferProducts the queue, in bandwidth-delay products
   * @param loss after the queue, in both directions
   */
  public BulkRun(
      double bitsPerSecond,
      Duration roundTrip,
      double bufferProducts,
      Loss loss,
      RateController controller,
      RedundancyPolicy policy,
      RedundancyPolicy farPolicy,
      long seed) {
    this.bitsPerSecond = bitsPerSecond;
    this.roundTrip = roundTrip;
    this.loss = loss;
    SessionSettings settings =
        new SessionSettings(1, 1, CONTENT_BYTES, WINDOW, SessionSettings.USUAL_SILENCE_NANOS, seed);
    near =
        new CodedEndpoint(
            new CodedSession(settings, controller, policy, 0), settings, Long.MAX_VALUE);
    far =
        new CodedEndpoint(
            new CodedSession(settings, new FixedRate(1, 1), farPolicy, 0), settings, 0);
    double product = bitsPerSecond / 8 * roundTrip.toNanos() / 1e9;
    LinkShape shape =
        LinkShape.of(roundTrip.dividedBy(2), (long) bitsPerSecond)
            .withQueueBytes(Math.max(2L * PACKET_BYTES, (long) (bufferProducts * product)));
    network = new VirtualNetwork(shape, shape, seed);
    network.add(near, far, loss, 0, this::exited);
  }

  public VirtualNetwork network() {
    return network;
  }

  public CodedEndpoint far() {
    return far;
  }

  public CodedEndpoint near() {
    return near;
  }

  private void exited(Object content, long nowNanos) {
    byte[] datagram = (byte[]) content;
    if (((datagram[0] >> 2) & 7) == SOURCE_TYPE) {
      int at = 5 + (datagram[0] & 3) + 1;
      int id = 0;
      for (int i = 0; i < 4; i++) {
        id = (id << 8) | (datagram[at + i] & 0xff);
      }
      if (id >= exitNanos.length) {
        exitNanos = Arrays.copyOf(exitNanos, 2 * exitNanos.length);
      }
      if (exitNanos[id] == 0) {
        exitNanos[id] = nowNanos;
      }
    }
  }

  /**
   * Outcome of a run.
   *
   * @param payload bytes delivered in order, divided by {@link #PAYLOAD_SHARE} of what the link's
   *     rate carries of packets that are not lost
   * @param roundTripFactor mean round trip with the forward queue, divided by the round trip
   *     without queues
   * @param waitMean mean time that symbols wait for order, in round trips
   * @param waitHigh 99th percentile of that time
   * @param repairShare repairs divided by source symbols
   */
  public record Outcome(
      double payload,
      double roundTripFactor,
      double waitMean,
      double waitHigh,
      double repairShare,
      long dropped) {}

  /** Continues the run; the first part is not counted. */
  public Outcome run(Duration warmUp, Duration measured) {
    int dataBytes = CONTENT_BYTES - 1;
    advance(warmUp.toNanos(), false);
    long before = far.received() / dataBytes;
    long sources = near.session().account().sourcesSent();
    long repairs = near.session().account().repairsSent() + near.session().account().repeatsSent();
    long dropped = network.forward().statistics(network.nowNanos()).droppedPackets();
    advance(warmUp.plus(measured).toNanos(), true);
    long delivered = far.received() / dataBytes - before;
    double carried =
        PAYLOAD_SHARE * bitsPerSecond / 8 * measured.toNanos() / 1e9 * (1 - loss.meanProbability());
    double payload = (double) delivered * (SessionSettings.USUAL_CONTENT_BYTES - 1);
    double sent = near.session().account().sourcesSent() - sources;
    return new Outcome(
        payload / carried,
        1 + (queueSamples == 0 ? 0 : queueNanos / queueSamples) / roundTrip.toNanos(),
        waits.mean() / roundTrip.toNanos(),
        waits.percentile(PERCENTILE) / roundTrip.toNanos(),
        (near.session().account().repairsSent() + near.session().account().repeatsSent() - repairs)
            / Math.max(1, sent),
        network.forward().statistics(network.nowNanos()).droppedPackets() - dropped);
  }

  private void advance(long untilNanos, boolean counted) {
    long step = Math.clamp(roundTrip.toNanos() / 100, 100_000, 1_000_000);
    long known = far.received() / (CONTENT_BYTES - 1);
    while (network.nowNanos() < untilNanos) {
      network.runUntil(Math.min(untilNanos, network.nowNanos() + step));
      long now = far.received() / (CONTENT_BYTES - 1);
      if (counted) {
        long queued = network.forward().statistics(network.nowNanos()).queueBytes();
        queueNanos += queued * 8e9 / bitsPerSecond;
        queueSamples++;
        for (long id = known; id < now; id++) {
          if (exitNanos[(int) id] > 0) { // Otherwise its first packet was dropped at the queue.
            waits.add(Math.max(0, network.nowNanos() - step / 2 - exitNanos[(int) id]));
          }
        }
      }
      known = now;
    }
  }

  /** All waiting times. */
  private static final class Waits {
    private long[] nanos = new long[1 << 16];
    private int count;

    void add(long value) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = value;
    }

    double mean() {
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += nanos[i];
      }
      return count == 0 ? 0 : sum / count;
    }

    double percentile(double share) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return count == 0 ? 0 : sorted[(int) Math.min(count - 1, Math.floor(share * count))];
    }
  }
}
