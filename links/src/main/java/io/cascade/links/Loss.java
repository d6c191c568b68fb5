package io.cascade.links;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Choice of the packets that a link loses. As text: {@code 1%} or {@code 0.01}; {@code 1% burst 5}
 * for losses in bursts of five on average; {@code gilbert-elliott 1% 30% 100% 0%} with the four
 * probabilities of {@link GilbertElliott} in order.
 */
public sealed interface Loss {
  Loss NONE = new Bernoulli(0);

  /** Long-run share of the packets that are lost, 0 to 1. */
  double meanProbability();

  /**
   * Independent losses.
   *
   * @param probability 0 to 1
   */
  record Bernoulli(double probability) implements Loss {
    public Bernoulli {
      checkProbability("loss", probability);
    }

    @Override
    public double meanProbability() {
      return probability;
    }

    @Override
    public String toString() {
      return percent(probability);
    }
  }

  /**
   * Losses in bursts: a chain of a good and a bad state that advances once per packet, then loses
   * it with the state's probability (Elliott, Bell System Technical Journal 42, 1963; Gilbert's
   * model of 1960 with {@code lossInGood} = 0). Bursts last 1/{@code badToGood} packets on average.
   * For 0.01, 0.3, 1 and 0 the mean is 0.01/(0.01 + 0.3) = 3.2 %.
   *
   * @param goodToBad probability to leave the good state, above 0, at most 1
   * @param badToGood probability to leave the bad state, above 0, at most 1
   */
  record GilbertElliott(double goodToBad, double badToGood, double lossInBad, double lossInGood)
      implements Loss {
    public GilbertElliott {
      checkProbability("good to bad", goodToBad);
      checkProbability("bad to good", badToGood);
      checkProbability("loss in bad", lossInBad);
      checkProbability("loss in good", lossInGood);
      if (goodToBad == 0 || badToGood == 0) {
        throw new IllegalArgumentException(
            "gilbert-elliott: transition of probability 0 (expected: > 0; use a plain loss instead)");
      }
    }

    /**
     * A chain in which everything is lost in the bad state, nothing in the good one.
     *
     * @param mean 0 < mean < 1
     * @param burstPackets mean length of a burst, at least 1
     */
    public static GilbertElliott bursts(double mean, double burstPackets) {
      if (!(mean > 0 && mean < 1 && burstPackets >= 1)) {
        throw new IllegalArgumentException(
            "loss in bursts: "
                + mean
                + " burst "
                + burstPackets
                + " (expected: 0 < loss < 1, burst >= 1)");
      }
      double badToGood = 1 / burstPackets;
      double goodToBad = badToGood * mean / (1 - mean);
      if (goodToBad > 1) {
        throw new IllegalArgumentException(
            "loss in bursts: bursts of " + burstPackets + " are too short for a mean of " + mean);
      }
      return new GilbertElliott(goodToBad, badToGood, 1, 0);
    }

    @Override
    public double meanProbability() {
      double bad = goodToBad / (goodToBad + badToGood);
      return bad * lossInBad + (1 - bad) * lossInGood;
    }

    @Override
    public String toString() {
      return "gilbert-elliott %s %s %s %s"
          .formatted(
              percent(goodToBad), percent(badToGood), percent(lossInBad), percent(lossInGood));
    }
  }

  /**
   * Parses the text form.
   *
   * @throws IllegalArgumentException naming the expected form
   */
  static Loss parse(String text) {
    String stripped = text.strip().toLowerCase(Locale.ROOT);
    if (stripped.equals("none")) {
      return NONE;
    }
    Matcher bursts = Forms.BURSTS.matcher(stripped);
    if (bursts.matches()) {
      return GilbertElliott.bursts(
          Probability.parse(bursts.group(1)), Double.parseDouble(bursts.group(2)));
    }
    Matcher chain = Forms.CHAIN.matcher(stripped);
    if (chain.matches()) {
      return new GilbertElliott(
          Probability.parse(chain.group(1)),
          Probability.parse(chain.group(2)),
          chain.group(3) == null ? 1 : Probability.parse(chain.group(3)),
          chain.group(4) == null ? 0 : Probability.parse(chain.group(4)));
    }
    return new Bernoulli(Probability.parse(stripped));
  }

  /** Patterns of the text forms, since an interface has no private fields. */
  final class Forms {
    private static final Pattern BURSTS =
        Pattern.compile("(\\S+)\\s+burst\\s+([0-9]+(?:\\.[0-9]+)?)");
    private static final Pattern CHAIN =
        Pattern.compile("gilbert-elliott\\s+(\\S+)\\s+(\\S+)(?:\\s+(\\S+)(?:\\s+(\\S+))?)?");

    private Forms() {}
  }

  private static void checkProbability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 0 to 1)");
    }
  }

  private static String percent(double probability) {
    return Probability.format(probability);
  }
}
