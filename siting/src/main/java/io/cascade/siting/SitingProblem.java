package io.cascade.siting;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The choice of sites as a combinatorial problem: every demand has ways, each of which needs some
 * sites and has a value; a demand uses its best way among those whose sites were all chosen.
 *
 * @param prices by site
 * @param ways by demand, the best first; the last one is the direct path, which needs no site
 */
record SitingProblem(
    List<Double> prices, int mostSites, OptionalDouble budget, List<List<Way>> ways) {

  SitingProblem {
    prices = List.copyOf(prices);
    ways = List.copyOf(ways);
  }

  /** A demand's chain and its value over the direct path. */
  record Way(Chain chain, SitingValue worth) {
    boolean isOpenTo(BitSet chosen) {
      return chain.relays().stream().allMatch(chosen::get);
    }
  }

  static SitingProblem of(SitingRequest request) {
    List<List<Way>> ways = request.demands().stream().map(demand -> ways(request, demand)).toList();
    return new SitingProblem(
        request.sites().stream().map(Site::price).toList(),
        request.mostSites(),
        request.budget(),
        ways);
  }

  private static List<Way> ways(SitingRequest request, Demand demand) {
    Distances distances = new Distances(request, demand);
    List<Chain> chains =
        new ArrayList<>(UsefulChains.of(distances, request.sites().size(), request.maxRelays()));
    double reference =
        Double.isFinite(distances.directCost())
            ? distances.directCost()
            : chains.stream().mapToDouble(Chain::cost).max().orElse(0);
    List<Way> ways = new ArrayList<>();
    for (Chain chain : chains) {
      ways.add(new Way(chain, worth(request.objective(), demand, chain.cost(), reference)));
    }
    Chain direct = Chain.direct(distances.directCost());
    ways.add(new Way(direct, new SitingValue(demand.servedAt(direct.cost()) ? 1 : 0, 0)));
    // Stable: among equal ways the one with fewer relays comes first.
    ways.sort(Comparator.comparing(Way::worth).reversed());
    // Ways after the direct path are no better than it, and are never used.
    return List.copyOf(ways.subList(0, indexOfDirect(ways) + 1));
  }

  private static int indexOfDirect(List<Way> ways) {
    for (int i = 0; i < ways.size(); i++) {
      if (ways.get(i).chain().relays().isEmpty()) {
        return i;
      }
    }
    throw new IllegalStateException("no direct path among the ways");
  }

  private static SitingValue worth(
      Objective objective, Demand demand, double cost, double reference) {
    double gain =
        switch (objective) {
          case TIME -> reference - cost;
          case GAIN -> reference / cost - 1;
        };
    return new SitingValue(demand.servedAt(cost) ? 1 : 0, demand.weight() * gain);
  }

  int sites() {
    return prices.size();
  }

  /** The best way of a demand through the chosen sites. */
  Way best(int demand, BitSet chosen) {
    for (Way way : ways.get(demand)) {
      if (way.isOpenTo(chosen)) {
        return way;
      }
    }
    throw new IllegalStateException("the direct path needs no site");
  }

  /** Returns what a choice achieves over all demands. */
  SitingValue worth(BitSet chosen) {
    SitingValue sum = SitingValue.NOTHING;
    for (int demand = 0; demand < ways.size(); demand++) {
      sum = sum.plus(best(demand, chosen).worth());
    }
    return sum;
  }

  double price(BitSet chosen) {
    return chosen.stream().mapToDouble(prices::get).sum();
  }

  /** Whether a choice is within both limits. */
  boolean allows(BitSet chosen) {
    return chosen.cardinality() <= mostSites
        && (budget.isEmpty() || price(chosen) <= budget.getAsDouble() + 1e-9);
  }

  /** Chosen sites that some demand's best way uses. */
  BitSet used(BitSet chosen) {
    BitSet used = new BitSet();
    for (int demand = 0; demand < ways.size(); demand++) {
      best(demand, chosen).chain().relays().forEach(used::set);
    }
    return used;
  }
}
