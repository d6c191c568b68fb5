package io.cascade.studies.experiment;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of one run. Times are seconds from the sender's first packet unless said otherwise.
 *
 * @param key of the run, by which an interrupted experiment knows what it has
 * @param inputs as in the file
 * @param seed of the emulated links of the lab that the run was in
 * @param at when it began, ISO 8601
 * @param connectedSeconds until the first byte could leave
 * @param firstByteSeconds until the first byte came; null where none did
 * @param seconds until the last byte came; null for a transfer that goes on for a time
 * @param bytes that came
 * @param steadyBitsPerSecond that came between the end of the warm-up and the end; of a transfer of
 *     given size null
 * @param wholeBitsPerSecond bytes over the time from the first byte's leaving to the last one's
 *     arrival
 * @param setup how the chain came into being; null on the direct way
 * @param links in the direction of the data
 * @param heldBytes memory that each relay held for the stream at most, in path order
 * @param queue what the relays held over time, where that was asked for
 * @param failure why there is nothing to be learnt from this run; null usually
 * @param besideBitsPerSecond what the connection that shared the last link received in the steady
 *     time; null where there was none
 */
public record Result(
    String key,
    String experiment,
    String sweep,
    Map<String, String> inputs,
    int repetition,
    long seed,
    String at,
    double connectedSeconds,
    @Nullable Double firstByteSeconds,
    @Nullable Double seconds,
    long bytes,
    @Nullable Double steadyBitsPerSecond,
    double wholeBitsPerSecond,
    @Nullable Setup setup,
    List<LinkCount> links,
    List<Long> heldBytes,
    List<Held> queue,
    @Nullable String failure,
    @Nullable Double besideBitsPerSecond) {

  /**
   * A chain's set-up.
   *
   * @param seconds from asking the orchestrator to its answer
   * @param elapsedMillis as the orchestrator measured it
   * @param sequentialMillis the sum over relays
   * @param predictedMillis 1.5 round trips to the farthest relay, or their sum
   */
  public record Setup(
      double seconds,
      double elapsedMillis,
      double sequentialMillis,
      @Nullable Double predictedMillis) {}

  /**
   * Packets of one link during the run.
   *
   * @param overflowed more than none and the emulator could not keep up: the run does not count
   */
  public record LinkCount(long taken, long forwarded, long lost, long dropped, long overflowed) {}

  /**
   * A sample of one relay's queue.
   *
   * @param relay 1 for the first
   * @param seconds since the first byte could leave
   * @param inBytes read so far
   * @param heldBytes not yet handed on
   */
  public record Held(int relay, double seconds, long inBytes, long heldBytes) {}

  /** Time that bytes came; of a transfer without a size what it was given, and a little. */
  double lasted() {
    return bytes == 0 ? 0 : bytes * 8 / wholeBitsPerSecond;
  }

  /** Rate by which the run is judged: the steady one where there is one, else that of all of it. */
  public double bitsPerSecond() {
    return steadyBitsPerSecond != null ? steadyBitsPerSecond : wholeBitsPerSecond;
  }
}
