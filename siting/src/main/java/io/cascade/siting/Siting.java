package io.cascade.siting;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Sites to rent, their outcome, and whether it is proven.
 *
 * @param method how the sites were chosen
 * @param proven whether no other choice within the limits achieves more
 * @param sites sites to rent, in the order of the candidates; without any that no demand would use
 * @param price the sum of their prices
 * @param outcome what they achieve
 * @param bound upper bound of every choice within the limits; equals the outcome if that is proven
 * @param greedy outcome of the greedy choice
 * @param assignments every demand's way, in the order of the demands
 */
public record Siting(
    Method method,
    boolean proven,
    List<RentedSite> sites,
    double price,
    Outcome outcome,
    Outcome bound,
    Outcome greedy,
    List<String> greedySites,
    List<Assignment> assignments) {

  /** Copies the lists. */
  public Siting {
    sites = List.copyOf(sites);
    greedySites = List.copyOf(greedySites);
    assignments = List.copyOf(assignments);
  }

  /** Method by which sites were chosen. */
  public enum Method {
    /** A solver, which also bounds every other choice. */
    EXACT,
    /** One site after the other, each time the one that adds most; without a proof. */
    GREEDY
  }

  /**
   * Value of a choice.
   *
   * @param served number of demands that have a measured way of the required rate
   * @param gain over the direct paths: weighted seconds saved, or weighted rate gain
   */
  public record Outcome(int served, double gain) {
    static Outcome of(SitingValue worth) {
      return new Outcome(worth.served(), worth.gain());
    }
  }

  /**
   * A chosen site.
   *
   * @param lost what would be lost without it if the others are kept: served demands, and gain
   */
  public record RentedSite(Site site, Outcome lost) {}

  /**
   * A demand's way.
   *
   * @param relays in the stream's direction; empty for the direct path
   * @param served whether it has a measured way of its required rate
   * @param directSeconds of the transfer without relays; empty for a stream, or if not measured
   * @param seconds of the transfer this way; empty for a stream, or without any way
   * @param directBitsPerSecond without relays; empty if not measured
   * @param bitsPerSecond this way; empty without any way
   */
  public record Assignment(
      Demand demand,
      List<String> relays,
      boolean served,
      OptionalDouble directSeconds,
      OptionalDouble seconds,
      OptionalDouble directBitsPerSecond,
      OptionalDouble bitsPerSecond) {

    /** Copies the list. */
    public Assignment {
      relays = List.copyOf(relays);
    }
  }

  /**
   * Returns how much more the bound allows than was achieved, as a share of the bound; 0 if proven.
   * Empty if they differ in the demands served, which cannot be expressed as a share.
   */
  public OptionalDouble gap() {
    return shareMissed(outcome, bound);
  }

  /** The same for the greedy choice, against what was achieved. */
  public OptionalDouble greedyGap() {
    return shareMissed(greedy, outcome);
  }

  private static OptionalDouble shareMissed(Outcome reached, Outcome possible) {
    if (reached.served() != possible.served()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        possible.gain() <= 0 ? 0 : Math.max(0, 1 - reached.gain() / possible.gain()));
  }
}
