package io.cascade.siting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The chains of one demand that some choice of sites could use.
 *
 * <p>A chain is useful if it costs less than the direct path and than every chain over some of its
 * own sites, in any order: a demand that can use it then has no better way. Chains of one relay
 * come first, then longer ones, each pruned as soon as its lower bound (all fixed parts and the
 * largest delivery so far) reaches the least cost through its sites so far. No chain that could be
 * part of a best answer is left out.
 */
final class UsefulChains {

  /** Tolerance: bound and cost come from different sums, so equal ones may differ by rounding. */
  private static final double ROUNDING = 1 - 1e-12;

  private static final int SITE_BITS = 15;

  private final Distances distances;
  private final int sites;
  private final Map<Long, Chain> bestOf = new HashMap<>();
  private final int[] relays = new int[SitingRequest.MOST_RELAYS];
  private int wanted;

  private UsefulChains(Distances distances, int sites) {
    this.distances = distances;
    this.sites = sites;
  }

  /** Every useful chain, the shorter ones first; without the direct path. */
  static List<Chain> of(Distances distances, int sites, int maxRelays) {
    if (sites >= 1 << SITE_BITS) {
      throw new IllegalArgumentException(
          "sites: " + sites + " (expected: at most " + ((1 << SITE_BITS) - 1) + ")");
    }
    UsefulChains chains = new UsefulChains(distances, sites);
    List<Chain> all = new ArrayList<>();
    for (int count = 1; count <= maxRelays; count++) {
      chains.wanted = count;
      chains.extend(0, distances.source(), 0, 0);
    }
    all.addAll(chains.bestOf.values());
    all.sort(UsefulChains::byLengthThenSites);
    return all;
  }

  private void extend(int count, int at, double fixedSeconds, double deliverySeconds) {
    int hopsFromHere = wanted - count + 1;
    if (count == wanted) {
      int end = distances.destination();
      if (distances.connects(at, end)) {
        complete(
            fixedSeconds + distances.fixedSeconds(at, end, hopsFromHere),
            Math.max(deliverySeconds, distances.deliverySeconds(at, end)));
      }
      return;
    }
    for (int site = 0; site < sites; site++) {
      if (!distances.connects(at, site) || !distances.relays(site) || uses(count, site)) {
        continue;
      }
      double fixed = fixedSeconds + distances.fixedSeconds(at, site, hopsFromHere);
      double delivery = Math.max(deliverySeconds, distances.deliverySeconds(at, site));
      relays[count] = site;
      if ((fixed + delivery) * ROUNDING < offered(count + 1)) {
        extend(count + 1, site, fixed, delivery);
      }
    }
  }

  private void complete(double fixedSeconds, double deliverySeconds) {
    double offered = offered(wanted);
    if ((fixedSeconds + deliverySeconds) * ROUNDING >= offered) {
      return;
    }
    double cost = distances.cost(relays, wanted);
    if (cost < offered) {
      List<Integer> route = Arrays.stream(relays, 0, wanted).boxed().toList();
      bestOf.put(key(relays, wanted, (1 << wanted) - 1), new Chain(route, cost));
    }
  }

  /** The least cost through the first {@code count} sites of the current chain so far. */
  private double offered(int count) {
    double least = distances.directCost();
    for (int members = 1; members < 1 << count; members++) {
      Chain chain = bestOf.get(key(relays, count, members));
      if (chain != null) {
        least = Math.min(least, chain.cost());
      }
    }
    return least;
  }

  private boolean uses(int count, int site) {
    for (int i = 0; i < count; i++) {
      if (relays[i] == site) {
        return true;
      }
    }
    return false;
  }

  /** The set of those sites whose bit in {@code members} is set, as a number. */
  private static long key(int[] relays, int count, int members) {
    long key = 0;
    int last = Integer.MAX_VALUE;
    for (int picked = Integer.bitCount(members); picked > 0; picked--) {
      int largest = -1;
      for (int i = 0; i < count; i++) {
        if ((members & 1 << i) != 0 && relays[i] < last) {
          largest = Math.max(largest, relays[i]);
        }
      }
      key = key << SITE_BITS | largest + 1;
      last = largest;
    }
    return key;
  }

  private static int byLengthThenSites(Chain one, Chain other) {
    int byLength = Integer.compare(one.relays().size(), other.relays().size());
    for (int i = 0; byLength == 0 && i < one.relays().size(); i++) {
      byLength = Integer.compare(one.relays().get(i), other.relays().get(i));
    }
    return byLength;
  }
}
