package io.cascade.packets.processing;

/**
 * Counts of what processors did.
 *
 * @param filteredAcks duplicate acknowledgments that were dropped
 * @param retransmissions repeated packets that were noticed; DEF stops using several pipes then
 * @param gapsByComparison gaps given up because every pipe had delivered something later
 * @param gapsByTimer gaps given up because they had been waited for long enough
 * @param gapsByMemory gaps given up because no more could be held
 */
public record ProcessorCounts(
    long filteredAcks,
    long retransmissions,
    long gapsByComparison,
    long gapsByTimer,
    long gapsByMemory) {
  public static final ProcessorCounts NONE = new ProcessorCounts(0, 0, 0, 0, 0);

  /** The sum of both. */
  public ProcessorCounts plus(ProcessorCounts other) {
    return new ProcessorCounts(
        filteredAcks + other.filteredAcks,
        retransmissions + other.retransmissions,
        gapsByComparison + other.gapsByComparison,
        gapsByTimer + other.gapsByTimer,
        gapsByMemory + other.gapsByMemory);
  }
}
