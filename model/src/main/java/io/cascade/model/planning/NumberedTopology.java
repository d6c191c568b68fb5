package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.Pace;
import io.cascade.model.routing.LinkGraph;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A topology with numbers instead of names, converted once, and the rates of its links as hops,
 * computed once for every kind of hop that is requested.
 */
final class NumberedTopology {

  /** Kinds of hops that are cached; each takes six numbers per link. */
  private static final int MOST_KINDS = 4;

  private final List<String> names;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final LinkGraph graph;
  private final LinkEstimate[] estimates;
  private final Map<Kind, HopNumbers> hops =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, HopNumbers> eldest) {
          return size() > MOST_KINDS;
        }
      };

  NumberedTopology(Map<String, Map<String, LinkEstimate>> linksFrom) {
    names = List.copyOf(linksFrom.keySet());
    for (String name : names) {
      numbers.put(name, numbers.size());
    }
    int[] offsets = new int[names.size() + 1];
    int node = 0;
    for (Map<String, LinkEstimate> links : linksFrom.values()) {
      offsets[node + 1] = offsets[node] + links.size();
      node++;
    }
    int[] targets = new int[offsets[node]];
    estimates = new LinkEstimate[targets.length];
    int link = 0;
    for (Map<String, LinkEstimate> links : linksFrom.values()) {
      for (Map.Entry<String, LinkEstimate> to : links.entrySet()) {
        targets[link] = number(to.getKey());
        estimates[link++] = to.getValue();
      }
    }
    graph = new LinkGraph(offsets, targets);
  }

  LinkGraph graph() {
    return graph;
  }

  /** A node's number; −1 if no link touches it. */
  int number(String name) {
    return numbers.getOrDefault(name, -1);
  }

  String name(int number) {
    return names.get(number);
  }

  /** Every link as a likely hop of a cascade, without the limits of terms. */
  synchronized HopNumbers hops(RouteQuestion request, MeasuredHops measured) {
    Kind kind =
        new Kind(
            request.hopControl(),
            request.senderControls(),
            RouteQuestion.FRAMING,
            measured.directCapacity(),
            request.offers().isEmpty() ? Optional.empty() : Optional.of(new Choice(request)));
    return hops.computeIfAbsent(kind, _ -> hops(measured));
  }

  private HopNumbers hops(MeasuredHops measured) {
    int links = estimates.length;
    HopNumbers numbers =
        new HopNumbers(
            new double[links],
            new double[links],
            new double[links],
            new double[links],
            new double[links],
            new double[links]);
    for (int node = 0; node < names.size(); node++) {
      for (int link = graph.first(node); link < graph.first(node + 1); link++) {
        Hop hop =
            measured.ofLink(
                names.get(node), names.get(graph.target(link)), estimates[link], LossLevel.LIKELY);
        numbers.rttSeconds[link] = hop.rttSeconds();
        numbers.waySeconds[link] = hop.packetDelaySeconds();
        numbers.bitsPerSecond[link] = hop.steadyRate().bitsPerSecond();
        numbers.unhinderedBitsPerSecond[link] = hop.unhinderedBitsPerSecond();
        numbers.lossProbability[link] = hop.lossProbability();
        numbers.windowKept[link] = hop.model().windowKeptAtLoss().orElse(1);
      }
    }
    return numbers;
  }

  /** Parameters other than the link on which the likely hop of a link depends. */
  private record Kind(
      CongestionControl control,
      Map<String, CongestionControl> senderControls,
      Framing framing,
      OptionalDouble assumedCapacity,
      Optional<Choice> choice) {}

  /** Further parameters on which the choice of a hop's congestion control depends. */
  private record Choice(
      Map<String, Set<CongestionControl>> offers,
      OptionalLong bytes,
      String source,
      String destination) {
    Choice(RouteQuestion request) {
      this(request.offers(), request.bytes(), request.source(), request.destination());
    }
  }

  /** Values that the search needs of each hop, indexed by link. */
  @SuppressWarnings("ArrayRecordComponent") // shared within the package and never compared
  record HopNumbers(
      double[] rttSeconds,
      double[] waySeconds,
      double[] bitsPerSecond,
      double[] unhinderedBitsPerSecond,
      double[] lossProbability,
      double[] windowKept) {

    /** A link's pace if it and its ends leave a connection no more than this rate. */
    Pace pace(int link, double freeBitsPerSecond, int mssBytes, int initialWindow) {
      return Pace.of(
          Math.min(bitsPerSecond[link], freeBitsPerSecond),
          Math.min(unhinderedBitsPerSecond[link], freeBitsPerSecond),
          rttSeconds[link],
          lossProbability[link],
          windowKept[link],
          mssBytes,
          initialWindow);
    }
  }
}
