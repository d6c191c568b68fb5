package io.cascade.coding.control;

/**
 * What is known of the others who fill a queue: how much of their window they keep at a cut, and
 * what share of the path is ours.
 *
 * <p>A full path carries R·C packets in flight, of which s are ours; R is the round trip, queue
 * included. When the others cut to β of their windows and ours has become k times what it was at
 * the peak, the round trip falls to
 *
 * <pre>
 * R'/R = β·(1 − s) + k·s        s = (R'/R − β)/(k − β)
 * </pre>
 *
 * β is 0.7 for CUBIC (RFC 9438) and 0.5 for Reno (RFC 5681). A fall by more than 0.3 tells Reno; a
 * smaller one may be either, and a {@link Ramp} tells them apart. Several who cut at different
 * times make a fall smaller, so that the share looks larger than it is, which is on the safe side.
 */
final class Rivals {
  private static final double RENO_KEEPS = 0.5;

  /** A fall beyond that is no CUBIC's; 0.3 less what noise takes. */
  private static final double DEEPEST_CUBIC = 0.295;

  /** Most that our window may have grown, as far as the formula is trusted. */
  private static final double MOST_GROWTH = 1.6;

  private static final double LEAST_SHARE = 0.01;

  /** Shares up to which we grow, and above which we give way, beside CUBIC. */
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

  /** Forgets who they are: others may have come. */
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

  /** The share that is ours, 0 to 1; 0 where it is not known. */
  double share() {
    return share;
  }

  /** Part of a window that they keep at a cut; as CUBIC until they are known. */
  double keep() {
    return kind == Kind.RENO ? RENO_KEEPS : CubicWindow.KEPT;
  }

  /**
   * They have cut.
   *
   * @param fall of the round trip, as a share of it
   * @param growth of our window since the round trip was longest, as a factor
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

  /**
   * Share between the one that the last cut means where they are CUBIC, and where they are Reno.
   */
  double halfway() {
    return halfway;
  }

  /** The queue is full, and hardly any of them has cut: most of it is ours. */
  void hardlyCut(double fall) {
    share = share(fall, 1, keep());
  }

  /** A test has told them apart. */
  void tested(boolean isReno) {
    kind = isReno ? Kind.RENO : Kind.CUBIC;
  }

  /** The share that is ours now that they have cut and we have not. */
  private double shareAfter() {
    return share / (share + keep() * (1 - share));
  }

  /** Whether so little is ours that we need not cut with them. */
  boolean leaveLittle() {
    return shareAfter() < wanted();
  }

  /** Factor by which our window is too small for a fair share. */
  double lack() {
    return wanted() / shareAfter();
  }

  /** Whether more than our part is ours, or that is not known. */
  boolean mayLeaveTooLittle() {
    return share == 0 || share > EVEN;
  }

  /** What we keep beside a cut of ours so that no more than our part is ours, at most 1. */
  double fairPart() {
    double even = kind == Kind.RENO ? EVEN_BESIDE_RENO : EVEN;
    return share <= even ? 1 : even / share;
  }

  private double wanted() {
    return kind == Kind.RENO ? WANTED_BESIDE_RENO : WANTED;
  }
}
