package io.cascade.simulation;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.control.FixedRate;
import io.cascade.coding.control.RateController;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Flows that share a link in virtual time and always have data to send: measures each flow's share
 * of what the link carried.
 */
public final class SharedRun {
  /** Kinds of flows. */
  public enum Kind {
    CODED,
    RENO,
    CUBIC
  }

  private static final int CONTENT_BYTES = 32;
  private static final int WINDOW = 1 << 14;

  private final VirtualNetwork network;
  private final List<long[]> carried = new ArrayList<>();
  private final long seed;

  /**
   * @param bufferProducts the queue, in bandwidth-delay products
   */
  public SharedRun(double bitsPerSecond, Duration roundTrip, double bufferProducts, long seed) {
    double product = bitsPerSecond / 8 * roundTrip.toNanos() / 1e9;
    LinkShape shape =
        LinkShape.of(roundTrip.dividedBy(2), (long) bitsPerSecond)
            .withQueueBytes(Math.max(2L * BulkRun.PACKET_BYTES, (long) (bufferProducts * product)));
    this.seed = seed;
    this.network = new VirtualNetwork(shape, shape.withQueueBytes(1 << 24), seed);
  }

  /** Adds a flow that begins at a time and loses packets after the queue. */
  public SharedRun add(Kind kind, Loss loss, Duration start) {
    long[] count = new long[1];
    carried.add(count);
    switch (kind) {
      case CODED -> addCoded(new DelayCompete(), loss, start, count);
      case RENO -> addTcp(new TcpControl.Reno(), loss, start, count);
      case CUBIC -> addTcp(new TcpControl.Cubic(), loss, start, count);
    }
    return this;
  }

  private void addTcp(TcpControl control, Loss loss, Duration start, long[] count) {
    network.add(
        new TcpSender(control), new TcpReceiver(), loss, start.toNanos(), (_, _) -> count[0]++);
  }

  private void addCoded(RateController controller, Loss loss, Duration start, long[] count) {
    SessionSettings settings =
        new SessionSettings(1, 1, CONTENT_BYTES, WINDOW, SessionSettings.USUAL_SILENCE_NANOS, seed);
    CodedEndpoint near =
        new CodedEndpoint(
            new CodedSession(settings, controller, new SlidingDeficit(), start.toNanos()),
            settings,
            Long.MAX_VALUE);
    CodedEndpoint far =
        new CodedEndpoint(
            new CodedSession(settings, new FixedRate(1, 1), new SlidingDeficit(), start.toNanos()),
            settings,
            0);
    network.add(near, far, loss, start.toNanos(), (_, _) -> count[0]++);
  }

  /** Continues the run and returns each flow's share of what was carried between the two times. */
  public double[] shares(Duration from, Duration to) {
    network.runUntil(from.toNanos());
    long[] before = carried.stream().mapToLong(count -> count[0]).toArray();
    network.runUntil(to.toNanos());
    double[] shares = new double[before.length];
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = carried.get(i)[0] - before[i];
      sum += shares[i];
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= Math.max(1, sum);
    }
    return shares;
  }
}
