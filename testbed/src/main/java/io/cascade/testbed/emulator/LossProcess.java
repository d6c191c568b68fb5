package io.cascade.testbed.emulator;

import java.util.SplittableRandom;

/** Draws losses, one packet after the other. The same seed draws the same. */
final class LossProcess {
  private final SplittableRandom random;
  private double lossInGood;
  private double lossInBad;
  private double goodToBad;
  private double badToGood;
  private boolean bad;

  LossProcess(Loss loss, long seed) {
    this.random = new SplittableRandom(seed);
    become(loss);
  }

  void become(Loss loss) {
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

  boolean loses() {
    if (goodToBad > 0 && random.nextDouble() < (bad ? badToGood : goodToBad)) {
      bad = !bad;
    }
    double probability = bad ? lossInBad : lossInGood;
    return probability > 0 && random.nextDouble() < probability;
  }
}
