package io.cascade.packets.pipes;

/**
 * Names a pipe. Only the sender knows its meaning.
 *
 * @param number from 0 on, in the order in which pipes were configured
 */
public record PipeId(int number) implements Comparable<PipeId> {
  public PipeId {
    if (number < 0) {
      throw new IllegalArgumentException("pipe: " + number + " (expected: >= 0)");
    }
  }

  @Override
  public int compareTo(PipeId other) {
    return Integer.compare(number, other.number);
  }
}
