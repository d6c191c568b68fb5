package io.cascade.model.routing;

import io.cascade.model.cascade.SetupMode;

/**
 * Cost that every link of a graph adds to a route's bound.
 *
 * <p>A route's bound has two parts: its delays, which add up, and its links' burdens, of which only
 * the greatest counts. For a transfer of S bytes the burden is the time that a hop needs for S
 * beyond one packet's propagation, so that delay + burden is {@linkplain
 * io.cascade.model.cascade.Cascade#leastSeconds the lower bound of the time}. For an unlimited
 * stream it is the time per bit, and delays only break ties.
 */
public final class LinkCosts {

  private final double[] waySeconds;
  private final double[] rttSeconds;
  private final double[] burden;
  private final boolean[] usable;
  private final SetupMode setup;
  private final double relayDelaySeconds;
  private final boolean stream;

  /**
   * All arrays are by link; they are not copied, and must not change while a search uses them.
   *
   * @param waySeconds one packet's propagation
   * @param rttSeconds for the route's set-up
   * @param burden seconds beyond the propagation or, for a stream, seconds per bit; not negative
   * @param usable whether a route may use the link
   * @param relayDelaySeconds added for every relay
   * @param stream whether the greatest burden alone decides and delays break ties
   */
  public LinkCosts(
      double[] waySeconds,
      double[] rttSeconds,
      double[] burden,
      boolean[] usable,
      SetupMode setup,
      double relayDelaySeconds,
      boolean stream) {
    this.waySeconds = waySeconds;
    this.rttSeconds = rttSeconds;
    this.burden = burden;
    this.usable = usable;
    this.setup = setup;
    this.relayDelaySeconds = relayDelaySeconds;
    this.stream = stream;
  }

  boolean usable(int link) {
    return usable[link];
  }

  double burden(int link) {
    return burden[link];
  }

  boolean stream() {
    return stream;
  }

  /**
   * Properties that hops at one place of a route have in common: a link's delay is linear in them.
   */
  Place place(int hopsFromHere, boolean first) {
    return new Place(
        setup.shareOfHopSeconds(1, hopsFromHere, first), hopsFromHere > 1 ? relayDelaySeconds : 0);
  }

  /** The delay of a link at a place. */
  double delay(int link, Place place) {
    return waySeconds[link] + place.setupRoundTrips * rttSeconds[link] + place.relayDelaySeconds;
  }

  /** Round trips of a hop's set-up, and the delay of the relay after it. */
  record Place(double setupRoundTrips, double relayDelaySeconds) {}
}
