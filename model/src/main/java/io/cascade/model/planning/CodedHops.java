package io.cascade.model.planning;

import java.util.Set;

/**
 * Hops of a cascade that may be coded, and when.
 *
 * @param relays that offer coded hops: a hop between two of them may be coded
 */
public record CodedHops(Use use, Set<String> relays) {

  /** No hop is coded. */
  public static final CodedHops NONE = new CodedHops(Use.NEVER, Set.of());

  /** Condition under which a hop that may be coded is. */
  public enum Use {
    /** No hop is coded. */
    NEVER,
    /** A hop is coded where that is likely to be clearly faster than TCP. */
    WHERE_FASTER,
    /** Always. */
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
