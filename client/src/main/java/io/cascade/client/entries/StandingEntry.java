package io.cascade.client.entries;

import java.util.Arrays;
import java.util.Optional;

/**
 * What the receiver has of an entry.
 *
 * @param bytes of a file or its beginning; 0 for others
 * @param sha256 of those bytes in hexadecimal; empty for others
 */
public record StandingEntry(Kind kind, long bytes, String sha256) {
  /** Kinds of answers. */
  public enum Kind {
    /** Nothing; of a folder, nothing of its content either. */
    NOTHING(0),
    /** Something else, so that the entry is to be sent. */
    OTHER(1),
    /** A folder or a link that is the same. */
    SAME(2),
    /** A file of the same size and time of modification. */
    FILE(3),
    /** The beginning of a file, kept when a stream broke off. */
    BEGINNING(4);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** Code of the kind in messages. */
    public int number() {
      return number;
    }

    /** The kind of a code in messages; empty where there is none. */
    public static Optional<Kind> of(int number) {
      return Arrays.stream(values()).filter(one -> one.number == number).findFirst();
    }
  }

  public static final StandingEntry NOTHING = new StandingEntry(Kind.NOTHING, 0, "");
  public static final StandingEntry OTHER = new StandingEntry(Kind.OTHER, 0, "");
  static final StandingEntry SAME = new StandingEntry(Kind.SAME, 0, "");
}
