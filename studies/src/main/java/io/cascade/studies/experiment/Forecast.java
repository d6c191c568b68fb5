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
 * Forecast of models for a cell whose parameters are all known exactly.
 *
 * <p>Predictions are made when a report is written and not when a run is measured, so that a
 * corrected model can be held against old measurements.
 */
public final class Forecast {
  private final Cell cell;

  public Forecast(Cell cell) {
    this.cell = cell;
  }

  /** The default model's rate: steady, or of a transfer of given size over all of its time. */
  public double bitsPerSecond() {
    return bitsPerSecond(CongestionControl::model);
  }

  /** The same with another model of some or all senders. */
  public double bitsPerSecond(Function<CongestionControl, ThroughputModel> models) {
    Cascade cascade = cascade(models);
    if (cell.bytes().isEmpty()) {
      return cell.route().connections() * cascade.steadyBitsPerSecond();
    }
    double sending = seconds(cascade) - cascade.setupSeconds();
    return 8.0 * cell.bytes().getAsLong() / sending;
  }

  /**
   * The longest time between two losses that any connection of the route is expected to meet, of
   * those that losses keep from filling their links; 0 where there is none.
   */
  public double secondsPerLoss() {
    double longest = 0;
    for (Hop hop : hops(CongestionControl::model)) {
      double rate = hop.steadyRate().bitsPerSecond();
      longest = Math.max(longest, 8 * hop.bytesBetweenLosses() / rate);
    }
    return longest;
  }

  /** Losses that the slowest connection is expected to meet in the time that counts. */
  public double lossesExpected() {
    double perLoss = secondsPerLoss();
    return perLoss == 0
        ? Double.POSITIVE_INFINITY
        : (cell.seconds() - cell.warmupSeconds()) / perLoss;
  }

  /**
   * Time from the sender's first packet to the last byte's arrival, of a transfer of given size.
   */
  public double seconds() {
    return seconds(cascade(CongestionControl::model));
  }

  /** Opening the chain, as the model corrects equation 7, and the transfer. */
  public double totalSeconds() {
    return setupSeconds() + seconds();
  }

  /** Time until the farthest relay has confirmed, or one after the other has; 0 without relays. */
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

  /**
   * The paper's set-up time: 1.5 round trips of the whole path, or of every hop up to its relay.
   */
  public double publishedSetupSeconds() {
    AsPublished paper = AsPublished.DEFAULTS;
    return cell.route().direct() ? 0 : paper.setupSeconds(cell.rttSeconds());
  }

  /** Equations 4 and 6 as they were printed, with no cap by capacity. */
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

  /** Equations 1, 5, 6 and 7 as they were printed. */
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

  /** The chain or the direct connection as the model sees it. */
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
      // The sender's own connection ends at the first relay.
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
