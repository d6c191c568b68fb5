package io.cascade.studies.transfers;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A transfer over loopback whose ends were killed at random times.
 *
 * @param number from 1; seed and number determine the kills
 * @param kills process and time of each kill, in words
 * @param ending of the transfer
 * @param note last line of the sender's output if it did not confirm the file
 */
record KillResult(long seed, int number, List<String> kills, Ending ending, String note) {

  /** Part of a kill's description if it came while the file arrived. */
  static final String UNDER_WAY = " while the file arrived";

  /** Last line that {@code send} prints once the receiver has confirmed the file. */
  private static final Pattern CONFIRMED = Pattern.compile("sha256 [0-9a-f]{64}");

  /** Endings of a transfer. */
  enum Ending {
    /** The file arrived, and the sender reported it. */
    DELIVERED("delivered and confirmed"),
    /** The file arrived unchanged, but the last sender was killed, or failed, before it ended. */
    UNCONFIRMED("delivered, and the sender ended otherwise"),
    /** The file did not arrive, and no sender reported that it did. */
    NOT_DELIVERED("not delivered, and said so"),
    /** Another file has its name, or no file arrived although the sender reported it. */
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
   * Copies the list. A sender whose last output is the digest was killed after it had reported the
   * receiver's confirmation.
   */
  KillResult {
    kills = List.copyOf(kills);
    if (ending == Ending.UNCONFIRMED && CONFIRMED.matcher(note).matches()) {
      ending = Ending.DELIVERED;
      note = "";
    }
  }

  /** Number of kills that came while the file arrived. */
  long killsUnderWay() {
    return kills.stream().filter(kill -> kill.contains(UNDER_WAY)).count();
  }

  /** Key of the transfer in result files. */
  String key() {
    return seed + " " + number;
  }
}
