package io.cascade.client.estimate;

import io.cascade.command.BitRate;
import io.cascade.command.TimeSpan;
import io.cascade.model.estimate.EstimateRequest;
import io.cascade.model.estimate.PathInput;
import io.cascade.model.estimate.SenderModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Hops in a user's notation, in order: {@code 32ms/0.05%/32Mbit/cubic,32ms/0.05%}. Each has a
 * round-trip time, a loss and optionally capacity, sender and MSS; the request supplies values that
 * are left empty.
 *
 * <p>A counted loss is written {@code 5of10000} here, since the slash separates a hop's values.
 */
public record HopList(List<PathInput> hops) {
  private static final String FORM =
      "RTT/LOSS[/CAPACITY[/CONTROL[/MSS]]], such as 32ms/0.05%/32Mbit/cubic";

  /** Copies the list. */
  public HopList {
    hops = List.copyOf(hops);
  }

  /**
   * @throws IllegalArgumentException naming the hop and what is expected
   */
  public static HopList parse(String text) {
    List<PathInput> hops = new ArrayList<>();
    for (String hop : text.split(",", -1)) {
      try {
        hops.add(hop(hop.strip()));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("hop " + (hops.size() + 1) + ": " + e.getMessage());
      }
    }
    if (hops.size() > EstimateRequest.MOST_HOPS) {
      throw new IllegalArgumentException(
          hops.size() + " hops (expected: at most " + EstimateRequest.MOST_HOPS + ")");
    }
    return new HopList(hops);
  }

  private static PathInput hop(String text) {
    List<String> parts = Arrays.stream(text.split("/", -1)).map(String::strip).toList();
    if (parts.size() < 2 || parts.size() > 5) {
      throw new IllegalArgumentException("'" + text + "' (expected: " + FORM + ")");
    }
    return new PathInput(
        TimeSpan.parse(parts.get(0)).seconds(),
        LossText.parse(parts.get(1)).probability(),
        given(parts, 2)
            .map(rate -> OptionalDouble.of((double) BitRate.parse(rate).bitsPerSecond()))
            .orElse(OptionalDouble.empty()),
        given(parts, 3).map(HopList::sender),
        given(parts, 4).map(mss -> OptionalInt.of(mss(mss))).orElse(OptionalInt.empty()));
  }

  private static Optional<String> given(List<String> parts, int index) {
    return index < parts.size() && !parts.get(index).isEmpty()
        ? Optional.of(parts.get(index))
        : Optional.empty();
  }

  /** Finds a model by its own name, or by that of the congestion control that it describes. */
  public static SenderModel sender(String name) {
    return Arrays.stream(SenderModel.values())
        .filter(model -> model.title().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .or(() -> SenderModel.ofCongestionControl(name))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'"
                    + name
                    + "' (expected: one of "
                    + Arrays.stream(SenderModel.values())
                        .map(SenderModel::title)
                        .collect(Collectors.joining(", "))
                    + ")"));
  }

  private static int mss(String text) {
    if (text.matches("[0-9]{1,5}")) {
      int mss = Integer.parseInt(text);
      if (mss >= 1 && mss <= 65_483) {
        return mss;
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: an MSS in bytes such as 1448)");
  }
}
