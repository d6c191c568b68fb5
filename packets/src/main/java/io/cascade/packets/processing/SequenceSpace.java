package io.cascade.packets.processing;

/**
 * Sequence numbers of one direction as offsets that do not wrap. Correct for numbers less than 2^31
 * from the last {@link #moveTo}.
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

  /** Numbers are interpreted around this offset from now on. */
  void moveTo(long offset) {
    reference = offset;
  }
}
