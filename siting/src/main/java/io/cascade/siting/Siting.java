package io.cascade.siting;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Sites to rent, what they achieve, and how sure that is.
 *
 * @param method how the sites were chosen
 * @param proven whether no other choice within the limits achieves more
 * @param sites those to rent, in the order of the candidates; none that no demand would use
 * @param price the sum of their prices
 * @param outcome what they achieve
 * @param bound what no choice within the limits exceeds; the outcome itself where it is proven
 * @param greedy what choosing one site after the other achieves
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
    /** A solver that bounds what any other choice could achieve. */
    EXACT,
    /** One after the other, each time the one that adds most; no proof. */
    GREEDY
  }

  /**
   * Worth of a choice.
   *
   * @param served demands that have a measured way of the rate they require
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
   * @param lost what would be lost without it, the others kept: demands no longer served, and gain
   */
  public record RentedSite(Site site, Outcome lost) {}

  /**
   * A demand's way.
   *
   * @param relays in the stream's direction; empty for the direct path
   * @param served whether it has a measured way of the rate it requires
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
   * Returns how much more the bound allows than was achieved, as a share of the bound; 0 where
   * proven. Empty where they differ in the demands served, which no share expresses.
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
