package io.cascade.lab.soak;

import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Detects whether a relay that does the same work for a long time needs more and more memory for
 * it.
 *
 * <p>The resident memory of a process is a poor measure: it grows for a while by compiled code, by
 * touched heap and by the C library's arenas, and by more than a slow leak would. But the live heap
 * after a collection, without streams, is the same after the first hundred visits and after the
 * last, except for histories, which are bounded and soon full. So the rests after the warm-up's are
 * compared: a leak shows at each of them.
 */
final class Growth {
  /**
   * Tolerated difference of live heap: some 0.5 MiB of pooled objects of libraries, and in a run of
   * a few minutes the last 256 streams of each chain, which a relay remembers.
   */
  private static final long MORE_BYTES = 2L << 20;

  private Growth() {}

  /**
   * A relay without streams.
   *
   * @param seconds since the beginning
   * @param visits until then
   * @param liveHeapBytes after a collection; 0 where unknown
   * @param residentBytes after that
   */
  record Rest(long seconds, long visits, long liveHeapBytes, long residentBytes) {}

  /**
   * Describes a growth over these rests, the first at the end of the warm-up; empty where there is
   * none.
   *
   * @param comesAndGoesBytes further live heap by which rests may differ
   */
  static Optional<String> failure(List<Rest> rests, long comesAndGoesBytes) {
    if (rests.size() < 3 || rests.stream().anyMatch(rest -> rest.liveHeapBytes == 0)) {
      return Optional.empty();
    }
    for (int i = 2; i < rests.size(); i++) {
      if (rests.get(i).liveHeapBytes <= rests.get(i - 1).liveHeapBytes) {
        return Optional.empty();
      }
    }
    Rest first = rests.get(1);
    Rest last = rests.getLast();
    long more = last.liveHeapBytes - first.liveHeapBytes;
    return more <= MORE_BYTES + comesAndGoesBytes
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "live heap grows: %s after %d visits, %s after %d, %d bytes for each",
                DataSize.format(first.liveHeapBytes),
                first.visits,
                DataSize.format(last.liveHeapBytes),
                last.visits,
                more / Math.max(1, last.visits - first.visits)));
  }

  static void print(List<Rest> rests, PrintWriter out) {
    Table table = new Table(">at rest after", ">visits", ">live heap", ">memory");
    for (Rest rest : rests) {
      table.row(
          rest.seconds + " s",
          rest.visits,
          rest.liveHeapBytes == 0 ? "unknown" : DataSize.format(rest.liveHeapBytes),
          DataSize.format(rest.residentBytes));
    }
    table.print(out);
  }
}
