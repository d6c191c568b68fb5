package io.cascade.relay.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Random scripts, by their turns, and the simpler ones that a failing one might be reduced to. */
record RandomTurns(List<Turn> turns) {
  private static final int MOST_TURNS = 8;
  private static final int MOST_CROSSING_BYTES = 20_000;
  private static final int MOST_REPLAYS = 60;

  static RandomTurns of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Turn> turns = new ArrayList<>();
    for (int left = random.nextInt(MOST_TURNS); left > 0; left--) {
      boolean byClient = random.nextBoolean();
      turns.add(
          switch (random.nextInt(16)) {
            case 0 -> new Turn.Urgent(byClient);
            case 1, 2 -> new Turn.End(byClient);
            case 3 -> new Turn.Stalled(byClient, size(random));
            case 4, 5, 6 ->
                new Turn.Crossing(
                    byClient,
                    1 + random.nextInt(MOST_CROSSING_BYTES),
                    1 + random.nextInt(MOST_CROSSING_BYTES));
            default -> {
              int bytes = size(random);
              yield new Turn.Transfer(byClient, bytes, piece(random, bytes), piece(random, bytes));
            }
          });
    }
    boolean byClient = random.nextBoolean();
    turns.add(
        switch (random.nextInt(8)) {
          case 0 -> new Turn.Break(byClient, 0);
          case 1 -> new Turn.Break(byClient, 1 + random.nextInt(MOST_CROSSING_BYTES));
          case 2 -> new Turn.Ignore(byClient, 2 + random.nextInt(MOST_CROSSING_BYTES));
          case 3 -> new Turn.Abandon(byClient);
          default -> new Turn.Finish(byClient, size(random), size(random));
        });
    return new RandomTurns(List.copyOf(turns));
  }

  Script script(String name) {
    return Turn.script(name, turns);
  }

  /** The simplest that still fails, as far as so many replays find it. */
  RandomTurns simplest(Predicate<RandomTurns> fails) {
    RandomTurns best = this;
    int replays = 0;
    boolean simpler = true;
    while (simpler) {
      simpler = false;
      for (RandomTurns candidate : best.simpler()) {
        if (++replays > MOST_REPLAYS) {
          return best;
        }
        if (fails.test(candidate)) {
          best = candidate;
          simpler = true;
          break;
        }
      }
    }
    return best;
  }

  private List<RandomTurns> simpler() {
    List<RandomTurns> all = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      List<Turn> without = new ArrayList<>(turns);
      without.remove(i);
      all.add(new RandomTurns(without));
    }
    for (int i = 0; i < turns.size(); i++) {
      Turn smaller = smaller(turns.get(i));
      if (!smaller.equals(turns.get(i))) {
        List<Turn> with = new ArrayList<>(turns);
        with.set(i, smaller);
        all.add(new RandomTurns(with));
      }
    }
    return all;
  }

  private static Turn smaller(Turn turn) {
    return switch (turn) {
      case Turn.Transfer(boolean by, int bytes, int piece, int readPiece)
          when piece < bytes || readPiece < bytes ->
          new Turn.Transfer(by, bytes, bytes, bytes);
      case Turn.Transfer(boolean by, int bytes, int _, int _) ->
          new Turn.Transfer(by, half(bytes), half(bytes), half(bytes));
      case Turn.Crossing(boolean by, int bytes, int other) ->
          new Turn.Crossing(by, half(bytes), half(other));
      case Turn.Stalled(boolean by, int bytes) -> new Turn.Stalled(by, half(bytes));
      case Turn.Finish(boolean by, int bytes, int other) ->
          new Turn.Finish(by, bytes / 2, other / 2);
      case Turn.Break(boolean by, int bytes) -> new Turn.Break(by, bytes / 2);
      case Turn.Ignore(boolean by, int other) -> new Turn.Ignore(by, Math.max(2, other / 2));
      case Turn.Urgent _, Turn.End _, Turn.Abandon _ -> turn;
    };
  }

  private static int half(int bytes) {
    return Math.max(1, bytes / 2);
  }

  /** A size from one byte to some hundred thousand, small ones as likely as large ones. */
  private static int size(SplittableRandom random) {
    return 1 + random.nextInt(1 << random.nextInt(1, 19));
  }

  /** No more than some hundred pieces. */
  private static int piece(SplittableRandom random, int bytes) {
    return Math.max(1 + bytes / 200, 1 + random.nextInt(bytes));
  }
}
