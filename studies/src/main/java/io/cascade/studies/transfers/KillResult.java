package io.cascade.studies.transfers;

import java.util.List;

/**
 * A transfer over loopback whose ends were killed at random times.
 *
 * @param number from 1; with the seed it makes the kills
 * @param kills what was killed and when, in words
 * @param ending what became of it
 * @param note what the sender said last where it did not confirm the file
 */
record KillResult(long seed, int number, List<String> kills, Ending ending, String note) {

  /** Part of the words about a kill that came while the file arrived. */
  static final String UNDER_WAY = " while the file arrived";

  /** Endings of a transfer. */
  enum Ending {
    /** The file stands, and the sender has said so. */
    DELIVERED("delivered and confirmed"),
    /**
     * The file stands as it was sent, but the last sender was killed, or failed, before it ended.
     */
    UNCONFIRMED("delivered, and the sender ended otherwise"),
    /** No file stands, and nobody says that it does. */
    NOT_DELIVERED("not delivered, and said so"),
    /** Another file stands under its name, or none although the sender says so. */
    WRONG("wrong");

    private final String words;

    Ending(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** Copies the list. */
  KillResult {
    kills = List.copyOf(kills);
  }

  /** Kills that came while the file arrived. */
  long killsUnderWay() {
    return kills.stream().filter(kill -> kill.contains(UNDER_WAY)).count();
  }

  /** Names it in result files. */
  String key() {
    return seed + " " + number;
  }
}
