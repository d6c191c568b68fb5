package io.cascade.studies.reproduce;

/** Agreement of a published figure with the model. */
enum Agreement {
  /** The corrected model agrees, and so does the source's own model if it has one. */
  REPRODUCED("reproduced"),
  /** The corrected model agrees, but the equations as printed do not. */
  REPRODUCED_ONCE_CORRECTED("reproduced once corrected; contradicts the source's own model"),
  /** Neither model agrees. */
  CONTRADICTS_ITS_SOURCE("contradicts the source's own model"),
  /** The source's own model agrees or the source has none; the corrected model does not agree. */
  DIFFERS("differs"),
  /**
   * The figure follows from other figures of the source without a model, so its agreement
   * reproduces nothing.
   */
  OWN_NUMBERS("follows from the source's own numbers, not counted as reproduced");

  private final String words;

  Agreement(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
