package io.cascade.packets.processing;

/**
 * Sequence numbers of one direction as offsets that do not wrap. Right for numbers that are less
 * than 2^31 from the last {@link #moveTo}.
 */
final class SequenceSpace {
  private final int base;
  private long reference;

  /**
   * @param base number of offset 0
   */
  SequenceSpace(int base) {
    this.base = base;
  }

  long offset(int sequence) {
    return reference + (sequence - (int) (base + reference));
  }

  int sequence(long offset) {
    return (int) (base + offset);
  }

  /** Numbers around this offset are meant from here on. */
  void moveTo(long offset) {
    reference = offset;
  }
}
