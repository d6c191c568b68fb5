package io.cascade.studies.experiment;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of one run. Times are seconds from the sender's first packet unless stated otherwise.
 *
 * @param key of the run, by which an interrupted experiment finds its finished runs
 * @param inputs as in the file
 * @param seed of the emulated links of the lab
 * @param at time at which it began, ISO 8601
 * @param connectedSeconds until the first byte could be sent
 * @param firstByteSeconds until the first byte arrived; null if none did
 * @param seconds until the last byte arrived; null for a transfer that lasts for a time
 * @param bytes that arrived
 * @param steadyBitsPerSecond that arrived between the end of the warm-up and the end; null for a
 *     transfer of given size
 * @param wholeBitsPerSecond bytes over the time from the departure of the first byte to the arrival
 *     of the last
 * @param setup of the chain; null on the direct way
 * @param links in the direction of the data
 * @param heldBytes largest memory that each relay held for the stream, in path order
 * @param queue samples of the bytes that the relays held, if they were requested
 * @param failure reason why the run does not count; null if it does
 * @param besideBitsPerSecond rate that the connection sharing the last link received in the steady
 *     state; null without one
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
   * Set-up of a chain.
   *
   * @param seconds from the request to the orchestrator's answer
   * @param elapsedMillis as measured by the orchestrator
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
   * @param overflowed packets that the emulator dropped because it was too slow; above 0 the run
   *     does not count
   */
  public record LinkCount(long taken, long forwarded, long lost, long dropped, long overflowed) {}

  /**
   * A sample of one relay's queue.
   *
   * @param relay 1 for the first
   * @param seconds since the first byte could be sent
   * @param inBytes read so far
   * @param heldBytes not yet forwarded
   */
  public record Held(int relay, double seconds, long inBytes, long heldBytes) {}

  /**
   * Time in which bytes arrived; for a transfer without a size its configured time and a little
   * more.
   */
  double lasted() {
    return bytes == 0 ? 0 : bytes * 8 / wholeBitsPerSecond;
  }

  /**
   * Rate by which the run is judged: the steady one if there is one, otherwise that of the whole
   * run.
   */
  public double bitsPerSecond() {
    return steadyBitsPerSecond != null ? steadyBitsPerSecond : wholeBitsPerSecond;
  }
}
