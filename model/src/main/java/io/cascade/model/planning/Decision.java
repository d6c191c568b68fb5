package io.cascade.model.planning;

/** The planner's answer to "through relays or not?". */
public enum Decision {
  /**
   * Use the chosen relays: they are likely faster, and if they are not they cost little time on
   * average; or the caller required them.
   */
  CASCADE,
  /**
   * Use no relays: little time is lost on average by going without, or there is no route through
   * any.
   */
  DIRECT,
  /**
   * Either: both are equally fast within a tenth, as far as is known. No relays are used, since
   * they gain nothing.
   */
  EQUAL,
  /** The measurements cannot tell. The plan names the likelier choice and what to measure. */
  UNDECIDED;

  /** Largest gain that does not justify relays. */
  public static final double TOO_LITTLE_GAIN = 1.1;

  /** Whether it is decided to use no relays. */
  public boolean isWithoutRelays() {
    return this == DIRECT || this == EQUAL;
  }
}
