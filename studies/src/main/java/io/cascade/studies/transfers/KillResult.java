package io.cascade.studies.transfers;

import java.util.List;
import java.util.regex.Pattern;

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

  /** What {@code send} prints last, once the receiver has confirmed the file. */
  private static final Pattern CONFIRMED = Pattern.compile("sha256 [0-9a-f]{64}");

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

  /**
   * Copies the list. A sender whose last words are the digest was killed after it had said that the
   * receiver confirms the file.
   */
  KillResult {
    kills = List.copyOf(kills);
    if (ending == Ending.UNCONFIRMED && CONFIRMED.matcher(note).matches()) {
      ending = Ending.DELIVERED;
      note = "";
    }
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
