package io.cascade.model.calibration;

import io.cascade.model.planning.AchievedRate;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.units.Require;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Evidence of one transfer over a link: a throughput test, or a bulk stream between two looks.
 *
 * @param control what it was sent with
 * @param bitsPerSecond delivered payload over the whole time
 * @param steadyBitsPerSecond the same without the beginning, in which slow start may have sent more
 *     or less than what follows; empty where it was too short
 * @param seconds how long it took
 * @param sentSegments with data, retransmissions among them; over a coded hop the packets that must
 *     have been sent for as many to arrive
 * @param retransmittedSegments what counts as lost: some were sent again in vain, some losses were
 *     the sender's own, see {@link #losses}. Where it is known which belong to one burst, the
 *     bursts count: a congestion control reacts once a round trip, and its model's loss is of such
 *     events. Over a coded hop what its rate control takes for the path's own loss
 * @param minRttSeconds without queues
 * @param loadedRttSeconds the usual round trip under the load of the transfer
 * @param byNetwork whether neither end held it back
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

  /** Least that a queue adds to the round trip, as a share of it and in seconds. */
  private static final double QUEUE_SHARE = 0.25;

  private static final double QUEUE_SECONDS = 0.002;

  /** Packets that BBR begins with, RFC 6928. */
  private static final double INITIAL_WINDOW = 10;

  /** The share of a transfer that does not count as steady. */
  private static final double BEGINNING = 1.0 / 3;

  /** Share of a capacity that BBR sends, see {@link io.cascade.model.tcp.BbrThroughput}. */
  private static final double BBR_UTILISATION = 0.98;

  /** Losses that give an outcome its full weight; the ratio of fewer is chance. */
  private static final double LOSSES_OF_FULL_WEIGHT = 10;

  /** Fewer losses say nothing of the model's error: the rate may be that of a beginning. */
  private static final long FEWEST_LOSSES = 3;

  /**
   * Round trips in which BBR, or a coded hop, has found the capacity. Doubling takes fewer; but a
   * test of 16 MiB over 196 ms that had doubled often enough showed 59 of 75 Mbit/s.
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
   * Lesson of a transfer on the model's error.
   *
   * @param ratio achieved over predicted from the transfer's own losses
   * @param weight in (0, 1]
   */
  public record Lesson(double ratio, double weight) {}

  /** The highest rate of payload that was seen to pass. */
  public double highestBitsPerSecond() {
    return Math.max(bitsPerSecond, steadyBitsPerSecond.orElse(0));
  }

  /**
   * The payload that the link carries when it is full, where this transfer has filled it.
   *
   * <p>A queue at the bottleneck shows that it was: the loaded round trip is at least a quarter and
   * 2 ms longer than the shortest. The steady rate is then the bottleneck's. Losses that keep a
   * window below the path's capacity build no queue. BBR keeps the queue short and aims at the
   * capacity itself: what it reaches after {@value #FINDING_ROUND_TRIPS} round trips is 0.98 of it.
   *
   * <p>Worked values: 30 Mbit/s at 64 ms, loaded 90 ms: 30 Mbit/s. The same loaded 70 ms: nothing
   * is known. BBR's 29.4 Mbit/s over 4 s of 66 ms, 60 round trips: 30 Mbit/s.
   *
   * <p>A coded hop aims at the capacity, too, and what passed the bottleneck is counted: every
   * packet that arrived, repairs included, and the share that the path itself loses. So it is a
   * mean over the whole time, never the rate of a moment.
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
   * Losses that were not the transfer's own.
   *
   * <p>A sender that fills a queue overflows it, again and again, and what is lost there says
   * nothing of a link that is not full. The link's own loss p cannot have been more than the one at
   * which the congestion control still reaches the rate that was seen, or the queue would not have
   * filled:
   *
   * <pre>
   * losses = min( retransmitted, sent·p* ),     model(p*) = steady rate, or the whole one
   * </pre>
   *
   * <p>Worked value: CUBIC at 40 ms and 30 Mbit/s, p* = 0.000139: 300 of 40,000 sent again while a
   * queue stood count as 5.6. Without a queue all 300 count. BBR's losses never count: it overflows
   * the bottleneck's queue as it begins, pays no heed to that, and leaves no queue to tell it by.
   * Over a link of 50 Mbit/s, 80 ms and 0.1 % it sent 8 % again.
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
   * The same of a transfer whose beginning cannot be told from the rest. Slow start may have
   * overflown a queue that is gone since, so of the losses only so many count as the rate allows
   * that was reached in spite of them, see {@link #losses}.
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
   * The same of a transfer that its ends held back. Whenever they let it go on it sends what waited
   * at once, and what is lost of such bursts says little of the link.
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

  /** Packets among which those losses count; none of BBR's. */
  public long packets() {
    return isBbr() ? 0 : sentSegments;
  }

  /**
   * Returns the rate that the transfer achieved, where something of the network set it: losses, the
   * link's capacity, or with BBR what it takes for the capacity once its window has doubled to what
   * fills the path, log₂(X·RTT/(10·MSS)) + 1 times within the first third of the transfer.
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
   * Returns the lesson on the model, where losses set the transfer's rate.
   *
   * <p>The prediction is from the losses that this transfer met, not from the link's: how many
   * happened to be lost is another error than the model's, and is in the link's counts already.
   * Spurious retransmissions lower the prediction, and so end up in the ratio, as they should: the
   * same kernel sends them again next time.
   *
   * <p>Worked value: 1.65 Mbit/s of CUBIC over 160 ms with 4 of 750 sent again: the model says 1.17
   * Mbit/s, so the ratio is 1.41, and with 4 losses its weight 0.4.
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

  /** Round trips in which a window that doubles comes from its beginning to a rate. */
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
