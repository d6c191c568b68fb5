package io.cascade.links;

import java.util.SplittableRandom;

/** Draws losses, packet by packet. The same seed gives the same losses. */
public final class LossProcess {
  private final SplittableRandom random;
  private double lossInGood;
  private double lossInBad;
  private double goodToBad;
  private double badToGood;
  private boolean bad;

  public LossProcess(Loss loss, long seed) {
    this.random = new SplittableRandom(seed);
    become(loss);
  }

  /** Draws by another loss from now on. */
  public void become(Loss loss) {
    switch (loss) {
      case Loss.Bernoulli bernoulli -> {
        bad = false;
        goodToBad = 0;
        badToGood = 1;
        lossInGood = bernoulli.probability();
        lossInBad = 0;
      }
      case Loss.GilbertElliott chain -> {
        goodToBad = chain.goodToBad();
        badToGood = chain.badToGood();
        lossInGood = chain.lossInGood();
        lossInBad = chain.lossInBad();
      }
    }
  }

  /** Whether the next packet is lost. */
  public boolean loses() {
    if (goodToBad > 0 && random.nextDouble() < (bad ? badToGood : goodToBad)) {
      bad = !bad;
    }
    double probability = bad ? lossInBad : lossInGood;
    return probability > 0 && random.nextDouble() < probability;
  }
}
