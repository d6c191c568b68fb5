package io.cascade.studies.experiment;

import io.cascade.model.cascade.AsPublished;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Forecast of models for a cell whose parameters are known exactly.
 *
 * <p>Predictions are made when a report is written and not when a run is measured, so that a
 * corrected model can be compared with earlier measurements.
 */
public final class Forecast {
  private final Cell cell;

  public Forecast(Cell cell) {
    this.cell = cell;
  }

  /**
   * Rate by the default model: the steady rate, or that of a transfer of given size over its whole
   * duration.
   */
  public double bitsPerSecond() {
    return bitsPerSecond(CongestionControl::model);
  }

  /** The same rate with other models for some or all senders. */
  public double bitsPerSecond(Function<CongestionControl, ThroughputModel> models) {
    Cascade cascade = cascade(models);
    if (cell.bytes().isEmpty()) {
      return cell.route().connections() * cascade.steadyBitsPerSecond();
    }
    double sending = seconds(cascade) - cascade.setupSeconds();
    return 8.0 * cell.bytes().getAsLong() / sending;
  }

  /**
   * The longest expected time between two losses of a connection of the route, of those connections
   * whose rate losses limit; 0 if there is none.
   */
  public double secondsPerLoss() {
    double longest = 0;
    for (Hop hop : hops(CongestionControl::model)) {
      double rate = hop.steadyRate().bitsPerSecond();
      longest = Math.max(longest, 8 * hop.bytesBetweenLosses() / rate);
    }
    return longest;
  }

  /** Number of losses that the slowest connection is expected to have in the measured time. */
  public double lossesExpected() {
    double perLoss = secondsPerLoss();
    return perLoss == 0
        ? Double.POSITIVE_INFINITY
        : (cell.seconds() - cell.warmupSeconds()) / perLoss;
  }

  /**
   * Time from the sender's first packet to the last byte's arrival, for a transfer of given size.
   */
  public double seconds() {
    return seconds(cascade(CongestionControl::model));
  }

  /** Time of the transfer and of the set-up of its chain, with {@link #setupSeconds()}. */
  public double totalSeconds() {
    return setupSeconds() + seconds();
  }

  /**
   * Time until the farthest relay has confirmed, or until all have in sequence; 0 without relays.
   */
  public double setupSeconds() {
    double sum = 0;
    double farthest = 0;
    for (int relay : cell.route().relays()) {
      double roundTrip =
          cell.links().subList(0, relay).stream().mapToDouble(PathLink::rttSeconds).sum();
      sum += 1.5 * roundTrip;
      farthest = Math.max(farthest, 1.5 * roundTrip);
    }
    return switch (cell.setup()) {
      case PARALLEL -> farthest;
      case SEQUENTIAL -> sum;
    };
  }

  /** Set-up time by equation 7: 1.5 round trips of the whole path; 0 on the direct way. */
  public double publishedSetupSeconds() {
    AsPublished paper = AsPublished.DEFAULTS;
    return cell.route().direct() ? 0 : paper.setupSeconds(cell.rttSeconds());
  }

  /** Rate by equations 4 and 6 as printed, with no cap by capacity. */
  public double publishedBitsPerSecond() {
    List<Hop> hops = hops(CongestionControl::model);
    AsPublished paper = AsPublished.DEFAULTS;
    if (cell.bytes().isPresent()) {
      return 8.0 * cell.bytes().getAsLong() / publishedSeconds();
    }
    long unit = 1_000_000;
    double slowest =
        hops.stream().mapToDouble(hop -> paper.longHaulSeconds(hop, unit)).max().orElseThrow();
    return cell.route().connections() * 8.0 * unit / slowest;
  }

  /** Time by equations 1, 5, 6 and 7 as printed. */
  public double publishedSeconds() {
    List<Hop> hops = hops(CongestionControl::model);
    long bytes = cell.bytes().orElseThrow();
    AsPublished paper = AsPublished.DEFAULTS;
    return cell.route().direct()
        ? paper.longHaulSeconds(hops.getFirst(), bytes / cell.route().connections())
        : paper.cascadedSeconds(hops, bytes);
  }

  private double seconds(Cascade cascade) {
    return cascade
        .deliver(Math.max(1, cell.bytes().orElseThrow() / cell.route().connections()))
        .totalSeconds();
  }

  /** The chain or the direct connection in terms of the model. */
  public Cascade cascade(Function<CongestionControl, ThroughputModel> models) {
    return Cascade.of(hops(models))
        .withRelays(
            switch (cell.relaying()) {
              case Relaying.Pipelined _ -> RelayDiscipline.CUT_THROUGH;
              case Relaying.Windows windows -> new RelayDiscipline.CutThrough(windows.count());
              case Relaying.Chunked chunked -> new RelayDiscipline.Chunked(chunked.bytes());
              case Relaying.StoreAndForward _ -> new RelayDiscipline.StoreAndForward();
            });
  }

  private List<Hop> hops(Function<CongestionControl, ThroughputModel> models) {
    List<Integer> ends = new ArrayList<>(cell.route().relays());
    ends.add(cell.links().size());
    List<Hop> hops = new ArrayList<>();
    int from = 0;
    for (int end : ends) {
      // The sender's connection ends at the first relay.
      CongestionControl control = hops.isEmpty() ? cell.control() : cell.hopControl();
      hops.add(hop(cell.links().subList(from, end)).withModel(models.apply(control)));
      from = end;
    }
    return hops;
  }

  private Hop hop(List<PathLink> links) {
    PathLink whole = PathLink.inSeries(links);
    return Hop.of(whole.rttSeconds(), whole.lossProbability())
        .withCapacity(Rate.ofMegabits(whole.bitsPerSecond() / 1e6 / cell.route().connections()));
  }
}
