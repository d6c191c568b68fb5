package io.cascade.relay.conformance;

/** What it took until one side saw what the other had done; later ones took more. */
enum ObservedDelay {
  /** Nothing further from anybody. */
  BY_ITSELF,
  /** That the side that had done it sent its end. */
  AFTER_ITS_END,
  /** That the side that looked sent its end, too. */
  AFTER_BOTH_ENDS,
  /** More than that. */
  NOT_AT_ALL
}
