package io.cascade.model.calibration;

import io.cascade.model.planning.AchievedRate;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.units.Require;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Evidence of one transfer over a link: a throughput test, or a bulk stream between two readings.
 *
 * @param control congestion control of the sender
 * @param bitsPerSecond delivered payload over the whole time
 * @param steadyBitsPerSecond the same without the beginning, in which slow start may have sent more
 *     or less than later; empty if the transfer was too short
 * @param seconds duration
 * @param sentSegments segments with data, including retransmissions; over a coded hop the packets
 *     that must have been sent for as many to arrive
 * @param retransmittedSegments segments that count as lost: some were retransmitted needlessly,
 *     some losses were caused by the sender, see {@link #losses}. If it is known which losses
 *     belong to one burst, bursts are counted: a congestion control reacts once a round trip, and
 *     its model's loss is of such events. Over a coded hop the estimate of its rate control of the
 *     path's own loss
 * @param minRttSeconds without queues
 * @param loadedRttSeconds the usual round-trip time under the load of the transfer
 * @param byNetwork whether neither end limited it
 */
public record LinkTransfer(
    CongestionControl control,
    double bitsPerSecond,
    OptionalDouble steadyBitsPerSecond,
    double seconds,
    long sentSegments,
    long retransmittedSegments,
    double minRttSeconds,
    OptionalDouble loadedRttSeconds,
    boolean byNetwork) {

  /**
   * Least delay that a standing queue adds to the round trip, as a share of it; in any case at
   * least {@link #QUEUE_SECONDS}.
   */
  private static final double QUEUE_SHARE = 0.25;

  private static final double QUEUE_SECONDS = 0.002;

  /** Initial window of BBR in packets, RFC 6928. */
  private static final double INITIAL_WINDOW = 10;

  /** Share of a transfer's time that does not count as steady. */
  private static final double BEGINNING = 1.0 / 3;

  /** Share of a capacity that BBR uses, see {@link io.cascade.model.tcp.BbrThroughput}. */
  private static final double BBR_UTILISATION = 0.98;

  /** Number of losses that give an outcome its full weight; the ratio of fewer losses is random. */
  private static final double LOSSES_OF_FULL_WEIGHT = 10;

  /**
   * With fewer losses a transfer says nothing of the model's error: the rate may be that of slow
   * start.
   */
  private static final long FEWEST_LOSSES = 3;

  /**
   * Round trips after which BBR, or a coded hop, has found the capacity. Doubling takes fewer; but
   * a test of 16 MiB over 196 ms that had doubled often enough showed 59 of 75 Mbit/s.
   */
  private static final double FINDING_ROUND_TRIPS = 30;

  private static final double LEAST_LOSS = 1e-9;
  private static final int HALVINGS = 60;

  /** Checks the values. */
  public LinkTransfer {
    Require.notNegative("bitsPerSecond", bitsPerSecond);
    steadyBitsPerSecond.ifPresent(value -> Require.notNegative("steadyBitsPerSecond", value));
    Require.positive("seconds", seconds);
    Require.atLeast("sentSegments", sentSegments, 0);
    Require.atLeast("retransmittedSegments", retransmittedSegments, 0);
    Require.positive("minRttSeconds", minRttSeconds);
  }

  /**
   * What a transfer shows of the model's error.
   *
   * @param ratio achieved over the prediction from the transfer's own losses
   * @param weight in (0, 1]
   */
  public record Lesson(double ratio, double weight) {}

  /** The highest observed rate of payload. */
  public double highestBitsPerSecond() {
    return Math.max(bitsPerSecond, steadyBitsPerSecond.orElse(0));
  }

  /**
   * The payload rate of the full link, if this transfer has filled it; otherwise empty.
   *
   * <p>A queue at the bottleneck shows that it was full: the loaded round trip is at least a
   * quarter and 2 ms longer than the shortest. The steady rate is then the bottleneck's. Losses
   * that keep a window below the path's capacity build no queue. BBR keeps the queue short and aims
   * at the capacity itself: its rate after {@value #FINDING_ROUND_TRIPS} round trips is 0.98 of it.
   *
   * <p>Worked values: 30 Mbit/s at 64 ms, loaded 90 ms: 30 Mbit/s. The same loaded 70 ms: nothing
   * is known. BBR's 29.4 Mbit/s over 4 s of 66 ms, 60 round trips: 30 Mbit/s.
   *
   * <p>A coded hop aims at the capacity, too. Its rate counts the packets that passed the
   * bottleneck: those that arrived, including repairs, and those that the path itself lost. It is a
   * mean over the whole time.
   */
  public OptionalDouble filledBitsPerSecond() {
    if (!byNetwork || steadyBitsPerSecond.isEmpty() || !(steadyBitsPerSecond.getAsDouble() > 0)) {
      return OptionalDouble.empty();
    }
    double steady = steadyBitsPerSecond.getAsDouble();
    if (control == CongestionControl.CODED) {
      double carried = 8.0 * Framing.ETHERNET_1500.mssBytes() * sentSegments / seconds;
      return hasFound() ? OptionalDouble.of(carried) : OptionalDouble.empty();
    }
    if (isBbr()) {
      return hasFound() ? OptionalDouble.of(steady / BBR_UTILISATION) : OptionalDouble.empty();
    }
    return queued() ? OptionalDouble.of(steady) : OptionalDouble.empty();
  }

  /**
   * Losses of the link itself, without those that the transfer caused.
   *
   * <p>A sender that fills a queue overflows it repeatedly, and these losses say nothing of a link
   * that is not full. The link's own loss p is at most the one at which the congestion control
   * still reaches the observed rate; otherwise the queue would not have filled:
   *
   * <pre>
   * losses = min( retransmitted, sent·p* ),     model(p*) = steady rate, or else the mean rate
   * </pre>
   *
   * <p>Worked value: CUBIC at 40 ms and 30 Mbit/s, p* = 0.000139: 300 of 40,000 retransmitted while
   * a queue stood count as 5.6. Without a queue all 300 count. BBR's losses never count: it
   * overflows the bottleneck's queue at its start, ignores these losses, and leaves no standing
   * queue by which they could be recognised. Over a link of 50 Mbit/s, 80 ms and 0.1 % it
   * retransmitted 8 %.
   */
  public double losses() {
    if (isBbr()) {
      return 0;
    }
    double lost = Math.min(retransmittedSegments, sentSegments);
    return queued() && control != CongestionControl.CODED
        ? Math.min(lost, sentSegments * lossAt(steadyBitsPerSecond.orElse(bitsPerSecond)))
        : lost;
  }

  /**
   * The same transfer, if its beginning cannot be separated from the rest. Slow start may have
   * overflowed a queue that has drained since, so only as many losses count as the achieved rate
   * allows, see {@link #losses}.
   */
  public LinkTransfer withoutLossesOfItsBeginning() {
    long most =
        isBbr() || control == CongestionControl.CODED || !(bitsPerSecond > 0)
            ? retransmittedSegments
            : Math.round(sentSegments * lossAt(bitsPerSecond));
    return new LinkTransfer(
        control,
        bitsPerSecond,
        steadyBitsPerSecond,
        seconds,
        sentSegments,
        Math.min(retransmittedSegments, most),
        minRttSeconds,
        loadedRttSeconds,
        byNetwork);
  }

  /**
   * The same transfer without losses, for one that its ends limited. Whenever they let it continue
   * it sends the waiting data in a burst, and losses of such bursts say little of the link.
   */
  public LinkTransfer withoutLosses() {
    return new LinkTransfer(
        control,
        bitsPerSecond,
        steadyBitsPerSecond,
        seconds,
        0,
        0,
        minRttSeconds,
        loadedRttSeconds,
        false);
  }

  /** Packets among which those losses count; 0 for BBR. */
  public long packets() {
    return isBbr() ? 0 : sentSegments;
  }

  /**
   * Returns the achieved rate, if the network limited it: by losses, by the link's capacity, or for
   * BBR by its estimate of the capacity once its window has doubled to fill the path,
   * log₂(X·RTT/(10·MSS)) + 1 times within the first third of the transfer.
   */
  public Optional<AchievedRate> achieved() {
    if (!byNetwork || !(bitsPerSecond > 0) || control == CongestionControl.CODED) {
      return Optional.empty();
    }
    double steady = steadyBitsPerSecond.orElse(bitsPerSecond);
    if (isBbr()) {
      boolean begun = seconds * BEGINNING < doublings(steady) * minRttSeconds;
      return begun ? Optional.empty() : Optional.of(new AchievedRate(control, steady, 0));
    }
    if (queued() && steady > 0) {
      return Optional.of(new AchievedRate(control, steady, retransmittedSegments));
    }
    return retransmittedSegments > 0 && retransmittedSegments < sentSegments
        ? Optional.of(new AchievedRate(control, bitsPerSecond, retransmittedSegments))
        : Optional.empty();
  }

  /**
   * Returns what the transfer shows of the model's error, if losses limited its rate; otherwise
   * empty.
   *
   * <p>The prediction is from the losses that this transfer met, not from the link's: the random
   * number of losses is not an error of the model, and is in the link's counts already. Spurious
   * retransmissions lower the prediction and so change the ratio, which is intended: the same
   * kernel sends them next time, too.
   *
   * <p>Worked value: 1.65 Mbit/s of CUBIC over 160 ms with 4 of 750 retransmitted: the model says
   * 1.17 Mbit/s, so the ratio is 1.41, and with 4 losses its weight 0.4.
   */
  public Optional<Lesson> lesson() {
    if (!byLosses()) {
      return Optional.empty();
    }
    double loss = (double) retransmittedSegments / sentSegments;
    double ratio = steadyBitsPerSecond.orElse(bitsPerSecond) / predicted(loss);
    double weight = Math.min(1, retransmittedSegments / LOSSES_OF_FULL_WEIGHT);
    return ratio > 0 ? Optional.of(new Lesson(ratio, weight)) : Optional.empty();
  }

  private boolean byLosses() {
    return byNetwork
        && !isBbr()
        && control != CongestionControl.CODED
        && !queued()
        && bitsPerSecond > 0
        && retransmittedSegments >= FEWEST_LOSSES
        && retransmittedSegments < sentSegments;
  }

  private boolean queued() {
    double least = minRttSeconds + Math.max(QUEUE_SHARE * minRttSeconds, QUEUE_SECONDS);
    return byNetwork && loadedRttSeconds.orElse(0) >= least;
  }

  private boolean hasFound() {
    return seconds >= FINDING_ROUND_TRIPS * minRttSeconds;
  }

  /** Round trips in which a doubling window grows from its initial value to a rate. */
  private double doublings(double bitsPerSecond) {
    double packets = bitsPerSecond * minRttSeconds / (Byte.SIZE * Framing.ETHERNET_1500.mssBytes());
    return Math.max(0, Math.log(packets / INITIAL_WINDOW) / Math.log(2)) + 1;
  }

  private boolean isBbr() {
    return control == CongestionControl.BBR || control == CongestionControl.BBR_V3;
  }

  private double lossAt(double rate) {
    double low = Math.log(LEAST_LOSS);
    double high = 0;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (predicted(Math.exp(middle)) >= rate) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.exp(low);
  }

  private double predicted(double loss) {
    return control
        .model()
        .bitsPerSecond(
            new PathConditions(
                minRttSeconds, loss, Framing.ETHERNET_1500.mssBytes(), Double.POSITIVE_INFINITY));
  }
}
