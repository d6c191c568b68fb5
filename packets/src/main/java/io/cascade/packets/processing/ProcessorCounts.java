package io.cascade.packets.processing;

/**
 * Counts of processors.
 *
 * @param filteredAcks duplicate acknowledgments that were dropped
 * @param retransmissions detected retransmissions; DEF then stops using several pipes
 * @param gapsByComparison gaps that counted as lost because every pipe had delivered something
 *     later
 * @param gapsByTimer gaps that counted as lost after the time to wait
 * @param gapsByMemory gaps that counted as lost because no more could be held
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
