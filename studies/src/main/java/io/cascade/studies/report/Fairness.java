package io.cascade.studies.report;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.PathLink;
import io.cascade.studies.study.Page;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Share of a bottleneck that a relay's hop takes beside one other connection, by the hop's
 * congestion control, and the rate that the hop gains.
 */
final class Fairness {
  private static final List<CongestionControl> SHOWN =
      List.of(CongestionControl.RENO, CongestionControl.CUBIC, CongestionControl.BBR);

  private final List<Network> networks;

  private Fairness(List<Network> networks) {
    this.networks = networks;
  }

  /**
   * Rates with one congestion control beside one neighbour.
   *
   * @param hop received over the relay's hop
   * @param neighbour received by the other connection
   */
  private record Rates(Sample hop, Sample neighbour) {
    double share() {
      return hop.mean() / (hop.mean() + neighbour.mean());
    }
  }

  /**
   * A bottleneck and a neighbour.
   *
   * @param used share of the bottleneck that CUBIC is predicted to use alone
   */
  private record Network(
      Map<String, String> inputs, double used, Map<CongestionControl, Rates> rates) {
    Network {
      inputs = new TreeMap<>(inputs);
      rates = new EnumMap<>(rates);
    }

    Optional<Rates> of(CongestionControl control) {
      return Optional.ofNullable(rates.get(control));
    }

    /** The hop's rate with BBR over its rate with CUBIC. */
    double gain() {
      return ratio(one -> one.hop().mean());
    }

    /** The neighbour's rate beside BBR over its rate beside CUBIC. */
    double kept() {
      return ratio(one -> one.neighbour().mean());
    }

    private double ratio(ToDoubleFunction<Rates> of) {
      Rates bbr = rates.get(CongestionControl.BBR);
      Rates cubic = rates.get(CongestionControl.CUBIC);
      return bbr == null || cubic == null
          ? Double.NaN
          : of.applyAsDouble(bbr) / of.applyAsDouble(cubic);
    }
  }

  /** The comparison for an experiment whose cells have a connection beside their hop. */
  static Fairness of(Evidence evidence) {
    Map<Map<String, String>, Map<CongestionControl, Rates>> found = new LinkedHashMap<>();
    Map<Map<String, String>, Double> used = new LinkedHashMap<>();
    for (Cell cell : evidence.experiment().cells()) {
      List<Double> hop = new ArrayList<>();
      List<Double> neighbour = new ArrayList<>();
      evidence
          .of(cell)
          .forEach(result -> {
            Double beside = result.besideBitsPerSecond();
            if (beside != null) {
              hop.add(result.bitsPerSecond() / 1e6);
              neighbour.add(beside / 1e6);
            }
          });
      if (!hop.isEmpty()) {
        Map<String, String> network = new TreeMap<>(cell.inputs());
        network.remove("hops");
        used.put(network, used(cell.links().getLast()));
        found
            .computeIfAbsent(network, _ -> new EnumMap<>(CongestionControl.class))
            .put(cell.hopControl(), new Rates(new Sample(hop), new Sample(neighbour)));
      }
    }
    List<Network> networks = new ArrayList<>();
    found.forEach((inputs, rates) ->
        networks.add(new Network(inputs, used.getOrDefault(inputs, 1.0), rates)));
    return new Fairness(networks);
  }

  private static double used(PathLink link) {
    Hop hop =
        Hop.of(link.rttSeconds(), link.lossProbability())
            .withCapacity(new Rate(link.bitsPerSecond()))
            .withCongestionControl(CongestionControl.CUBIC);
    return hop.steadyRate().bitsPerSecond() / hop.payloadCapacityBitsPerSecond();
  }

  /** Page of one experiment of this kind. */
  static Page page(Evidence evidence) {
    Experiment experiment = evidence.experiment();
    Page page = new Page(experiment.title());
    page.paragraph(experiment.about());
    page.paragraph(
        "%d runs, %d that failed and do not count. %s"
            .formatted(evidence.runs(), evidence.failed().size(), evidence.machine()));
    experiment.sweeps().forEach(sweep -> page.paragraph(sweep.about()));
    of(evidence).describe(page);
    return page;
  }

  void describe(Page page) {
    page.paragraph(
        "Gain is the hop's rate with BBR over its rate with CUBIC in the same network. Kept is the"
            + " neighbour's rate beside BBR over its rate beside CUBIC, with the least in brackets.");
    page.heading(2, "By the share that CUBIC alone would use");
    page.paragraph(
        "Medians over networks, by the share of the bottleneck that CUBIC alone would use by the model."
            + " Up to 0.15 the planner may choose BBR.");
    page.table(
        List.of("CUBIC uses", "networks", "bbr's share", "gain", "kept", "half or more kept in"),
        byUse());
    page.heading(2, "By loss, queue and neighbour");
    page.paragraph("Medians over rates and round trips.");
    page.table(
        "loss | queue | neighbour | reno's share | cubic's share | bbr's share | gain | kept",
        summary());
    page.heading(2, "Every network");
    page.paragraph(
        "Mbit/s of payload of the hop and of the neighbour: means of the repetitions in the steady"
            + " state.");
    List<List<String>> rows = new ArrayList<>();
    for (Network network : networks) {
      List<String> row = new ArrayList<>();
      for (String input : List.of("rate", "rtt", "loss", "queue", "beside")) {
        row.add(network.inputs().getOrDefault(input, ""));
      }
      for (CongestionControl control : SHOWN) {
        row.add(
            network
                .of(control)
                .map(rates ->
                    Words.number(rates.hop().mean())
                        + " / "
                        + Words.number(rates.neighbour().mean()))
                .orElse("–"));
      }
      row.add(Words.number(network.gain()));
      row.add(Words.number(network.kept()));
      rows.add(row);
    }
    page.table(
        "rate | round trip | loss | queue | neighbour | reno | cubic | bbr | gain | kept", rows);
  }

  private List<List<String>> byUse() {
    List<List<String>> rows = new ArrayList<>();
    double above = 0;
    for (double most : List.of(0.15, 0.25, 0.5, 0.99, 1.0)) {
      double more = above;
      List<Network> group =
          networks.stream()
              .filter(network -> network.used() > more && network.used() <= most)
              .toList();
      above = most;
      List<Double> kept = kept(group);
      if (!kept.isEmpty()) {
        rows.add(
            List.of(
                most == 1.0 ? "all" : Words.number(more) + " to " + Words.number(most),
                String.valueOf(group.size()),
                median(shares(group, CongestionControl.BBR)),
                median(group.stream().map(Network::gain).filter(value -> value > 0).toList()),
                median(kept) + least(kept),
                kept.stream().filter(value -> value >= 0.5).count() + " of " + kept.size()));
      }
    }
    return rows;
  }

  private static List<Double> kept(List<Network> group) {
    return group.stream().map(Network::kept).filter(value -> value > 0).toList();
  }

  private static List<Double> shares(List<Network> group, CongestionControl control) {
    return group.stream()
        .flatMap(network -> network.of(control).stream())
        .map(Rates::share)
        .toList();
  }

  private static String least(List<Double> values) {
    return values.stream()
        .min(Double::compare)
        .map(least -> " (" + Words.number(least) + ")")
        .orElse("");
  }

  private List<List<String>> summary() {
    Map<List<String>, List<Network>> groups = new LinkedHashMap<>();
    for (Network network : networks) {
      groups
          .computeIfAbsent(
              List.of(
                  network.inputs().getOrDefault("loss", ""),
                  network.inputs().getOrDefault("queue", ""),
                  network.inputs().getOrDefault("beside", "")),
              _ -> new ArrayList<>())
          .add(network);
    }
    List<List<String>> rows = new ArrayList<>();
    groups.forEach((name, group) -> {
      List<String> row = new ArrayList<>(name);
      for (CongestionControl control : SHOWN) {
        row.add(median(shares(group, control)));
      }
      row.add(median(group.stream().map(Network::gain).filter(value -> value > 0).toList()));
      List<Double> kept = kept(group);
      row.add(median(kept) + least(kept));
      rows.add(row);
    });
    return rows;
  }

  private static String median(List<Double> values) {
    return values.isEmpty() ? "–" : Words.number(new Sample(values).median());
  }
}
