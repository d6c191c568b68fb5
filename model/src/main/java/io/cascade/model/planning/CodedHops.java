package io.cascade.model.planning;

import java.util.Set;

/**
 * Hops of a cascade that may be coded, and the condition.
 *
 * @param relays relays that offer coded hops: a hop between two of them may be coded
 */
public record CodedHops(Use use, Set<String> relays) {

  /** No hop is coded. */
  public static final CodedHops NONE = new CodedHops(Use.NEVER, Set.of());

  /** Condition under which an eligible hop is coded. */
  public enum Use {
    /** No hop is coded. */
    NEVER,
    /** A hop is coded if that is likely to be clearly faster than TCP. */
    WHERE_FASTER,
    /** Every eligible hop is coded. */
    ALWAYS
  }

  /** Copies the set. */
  public CodedHops {
    relays = Set.copyOf(relays);
  }

  /** Whether both ends of a hop offer it. */
  boolean isOffered(String from, String to) {
    return relays.contains(from) && relays.contains(to);
  }
}
