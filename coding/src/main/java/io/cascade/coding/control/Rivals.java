package io.cascade.coding.control;

/**
 * What is known of the other senders that fill a queue: how much of their window they keep at a
 * cut, and this sender's share of the path.
 *
 * <p>A full path carries R·C packets in flight, of which this sender's share is s; R is the round
 * trip, including the queue. When the others cut to β of their windows and this sender's window has
 * grown by the factor k since the peak, the round trip falls to
 *
 * <pre>
 * R'/R = β·(1 − s) + k·s        s = (R'/R − β)/(k − β)
 * </pre>
 *
 * β is 0.7 for CUBIC (RFC 9438) and 0.5 for Reno (RFC 5681). A fall by more than 0.3 indicates
 * Reno; a smaller one may be either, and a {@link Ramp} distinguishes them. Several senders that
 * cut at different times make a fall smaller, so that the share seems larger than it is, which is
 * the safe error.
 */
final class Rivals {
  private static final double RENO_KEEPS = 0.5;

  /** A larger fall cannot be CUBIC's; 0.3 less a margin for noise. */
  private static final double DEEPEST_CUBIC = 0.295;

  /** Largest growth of the own window for which the formula is trusted. */
  private static final double MOST_GROWTH = 1.6;

  private static final double LEAST_SHARE = 0.01;

  /** Shares beside CUBIC below which this sender grows, and above which it cuts. */
  private static final double WANTED = 0.4;

  private static final double EVEN = 0.5;

  /** The same beside Reno, which takes long to grow again. */
  private static final double WANTED_BESIDE_RENO = 0.3;

  private static final double EVEN_BESIDE_RENO = 0.4;

  private Kind kind = Kind.UNKNOWN;
  private double share;
  private double halfway;

  private enum Kind {
    UNKNOWN,
    CUBIC,
    RENO
  }

  /** Forgets their kind: other senders may have come. */
  void forget() {
    kind = Kind.UNKNOWN;
    forgetShare();
  }

  void forgetShare() {
    share = 0;
  }

  boolean areKnown() {
    return kind != Kind.UNKNOWN;
  }

  /** This sender's share of the path, 0 to 1; 0 if unknown. */
  double share() {
    return share;
  }

  /** Share of a window that they keep at a cut; that of CUBIC until their kind is known. */
  double keep() {
    return kind == Kind.RENO ? RENO_KEEPS : CubicWindow.KEPT;
  }

  /**
   * The others have cut.
   *
   * @param fall of the round trip, as a share of it
   * @param growth of the own window since the round trip's peak, as a factor
   */
  void cut(double fall, double growth) {
    if (fall > DEEPEST_CUBIC && kind == Kind.UNKNOWN) {
      kind = Kind.RENO;
    }
    share = share(fall, growth, keep());
    halfway = (share(fall, growth, CubicWindow.KEPT) + share(fall, growth, RENO_KEEPS)) / 2;
  }

  private static double share(double fall, double growth, double keep) {
    double k = Math.clamp(growth, 1, MOST_GROWTH);
    return Math.clamp((1 - fall - keep) / (k - keep), LEAST_SHARE, 1);
  }

  /** The mean of the shares that the last cut indicates for CUBIC and for Reno. */
  double halfway() {
    return halfway;
  }

  /** The queue is full, and few of the others have cut: most of it is this sender's. */
  void hardlyCut(double fall) {
    share = share(fall, 1, keep());
  }

  /** A test has determined their kind. */
  void tested(boolean isReno) {
    kind = isReno ? Kind.RENO : Kind.CUBIC;
  }

  /** This sender's share after the others have cut and this sender has not. */
  private double shareAfter() {
    return share / (share + keep() * (1 - share));
  }

  /** Whether this sender's share is so small that it need not cut with the others. */
  boolean leaveLittle() {
    return shareAfter() < wanted();
  }

  /** Factor by which the own window is too small for a fair share. */
  double lack() {
    return wanted() / shareAfter();
  }

  /** Whether this sender's share is above the fair one, or unknown. */
  boolean mayLeaveTooLittle() {
    return share == 0 || share > EVEN;
  }

  /**
   * Further share of the window to keep at a cut, so that no more than the fair share remains; at
   * most 1.
   */
  double fairPart() {
    double even = kind == Kind.RENO ? EVEN_BESIDE_RENO : EVEN;
    return share <= even ? 1 : even / share;
  }

  private double wanted() {
    return kind == Kind.RENO ? WANTED_BESIDE_RENO : WANTED;
  }
}
