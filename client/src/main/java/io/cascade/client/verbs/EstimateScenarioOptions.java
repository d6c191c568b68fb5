package io.cascade.client.verbs;

import io.cascade.client.estimate.Dimension;
import io.cascade.client.estimate.HopList;
import io.cascade.client.estimate.LossText;
import io.cascade.client.estimate.Scenario;
import io.cascade.command.BitRate;
import io.cascade.command.DataSize;
import io.cascade.command.OptionSection;
import io.cascade.command.TimeSpan;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.estimate.EstimateRequest;
import io.cascade.model.estimate.PathInput;
import io.cascade.model.uncertainty.Interval;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that describe an estimate's path, its hops and the transfer. */
@OptionSection("The path, its hops and the transfer")
final class EstimateScenarioOptions {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "Set the path's round-trip time, such as 64ms.")
  private @Nullable TimeSpan rtt;

  @Option(
      names = "--loss",
      paramLabel = "SHARE",
      converter = EstimateConverters.Loss.class,
      description =
          "Set the path's packet loss: 0.1%%, 0.001 or a count such as 31/10000, which gives bounds"
              + " for all results.")
  private @Nullable LossText loss;

  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Set the path's capacity on the wire, such as 32Mbit (default: no limit).")
  private @Nullable BitRate capacity;

  @Option(
      names = "--hops",
      paramLabel = "LIST",
      converter = EstimateConverters.Hops.class,
      description =
          "Describe every hop as RTT/LOSS[/CAPACITY[/CONTROL[/MSS]]], separated by commas. A"
              + " counted loss is written 5of10000 here.")
  private @Nullable HopList hops;

  @Option(
      names = "--relays",
      paramLabel = "N",
      description = "Cut the path into N + 1 equal hops. Needs --loss-division.")
  private @Nullable Integer relays;

  @Option(
      names = "--loss-division",
      paramLabel = "HOW",
      description =
          "Divide the path's loss over the hops that --relays makes: ${COMPLETION-CANDIDATES}."
              + " SHARED: the hops together lose as much as the path. UNCHANGED: each hop does.")
  private @Nullable Division lossDivision;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description =
          "Estimate a transfer of this size, such as 1GiB (default: a stream without end).")
  private @Nullable DataSize bytes;

  /** Division of a path's loss. */
  enum Division {
    SHARED(LossDivision.DIVIDED),
    UNCHANGED(LossDivision.UNCHANGED);

    private final LossDivision model;

    Division(LossDivision model) {
      this.model = model;
    }
  }

  /** Whether the hops are listed one by one, so that a sweep cannot vary them. */
  boolean hasHops() {
    return hops != null;
  }

  /** The values of the options, before a sweep varies some of them. */
  Scenario fixed() {
    Map<Dimension, Interval> values = new EnumMap<>(Dimension.class);
    if (rtt != null) {
      values.put(Dimension.RTT, Interval.exactly(rtt.seconds()));
    }
    if (loss != null) {
      values.put(Dimension.LOSS, loss.probability());
    }
    if (capacity != null) {
      values.put(Dimension.CAPACITY, Interval.exactly((double) capacity.bitsPerSecond()));
    }
    if (bytes != null) {
      values.put(Dimension.BYTES, Interval.exactly((double) bytes.bytes()));
    }
    if (relays != null) {
      values.put(Dimension.RELAYS, Interval.exactly(relays));
    }
    return new Scenario(values);
  }

  /**
   * Adds a scenario's path, hops and transfer to a request.
   *
   * @throws ParameterException where a path is described in part, or is divided without a division
   *     of its loss
   * @throws IllegalArgumentException where a value is out of the model's range
   */
  void addTo(EstimateRequest.Builder request, Scenario scenario) {
    path(scenario).ifPresent(request::path);
    if (hops != null) {
      request.hops(hops.hops());
    }
    int relayCount =
        (int) scenario.value(Dimension.RELAYS).map(Interval::likely).orElse(0.0).doubleValue();
    if (relayCount != 0) {
      if (lossDivision == null) {
        throw misuse(
            "--loss-division: not given (expected: SHARED or UNCHANGED: how the path's loss is"
                + " divided among hops)");
      }
      request.cut(relayCount, lossDivision.model);
    }
    scenario
        .value(Dimension.BYTES)
        .filter(value -> value.likely() != 0)
        .ifPresent(value -> request.bytes((long) value.likely()));
  }

  /**
   * @throws ParameterException where a path is described in part
   */
  private Optional<PathInput> path(Scenario scenario) {
    Optional<Interval> roundTrip = scenario.value(Dimension.RTT);
    Optional<Interval> share = scenario.value(Dimension.LOSS);
    Optional<Interval> rate = scenario.value(Dimension.CAPACITY);
    if (roundTrip.isPresent() && share.isPresent()) {
      return Optional.of(
          new PathInput(
              roundTrip.get().likely(),
              share.get(),
              rate.isPresent() ? OptionalDouble.of(rate.get().likely()) : OptionalDouble.empty(),
              Optional.empty(),
              OptionalInt.empty()));
    }
    if (hops == null || roundTrip.isPresent() || share.isPresent() || rate.isPresent()) {
      throw misuse(
          (roundTrip.isPresent() ? "--loss" : "--rtt")
              + ": not given (expected: --rtt and --loss of the path, such as --rtt 64ms --loss 0.1%"
              + (hops == null ? ", or --hops)" : ", or --hops alone)"));
    }
    return Optional.empty();
  }

  private ParameterException misuse(String message) {
    return new ParameterException(verb.commandLine(), message);
  }
}
