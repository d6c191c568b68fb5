package io.cascade.model.planning;

/**
 * A measurement that would help to decide.
 *
 * @param probes further packets to send if losses have to be counted, otherwise 0
 */
public record Measurement(Kind kind, String from, String to, long probes) {

  /** Quantity to measure. */
  public enum Kind {
    /** Everything: the link was never measured. */
    LINK,
    /** Loss, with further packets. */
    LOSS,
    /** Rate and capacity, by a transfer. */
    CAPACITY
  }

  /** The measurement as part of a sentence: {@code 3000 more probes on a→b}. */
  public String words() {
    String link = from + "→" + to;
    return switch (kind) {
      case LINK -> "a first measurement of " + link;
      case LOSS -> probes + " more probes on " + link;
      case CAPACITY -> "a throughput test of " + link;
    };
  }
}
