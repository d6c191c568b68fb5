package io.cascade.relay;

import io.cascade.relay.pump.MemoryBudget;
import io.netty.util.internal.PlatformDependent;
import org.jspecify.annotations.Nullable;

/**
 * The direct memory that a relay's limits can make it use, against the virtual machine's limit.
 * Netty's pool allocates its chunks through the JDK, so that {@code -XX:MaxDirectMemorySize} bounds
 * both together.
 *
 * <p>The relay needs, besides stack and heap:
 *
 * <pre>
 * 5/4 budget                       stream bytes; the pool's size classes are up to a quarter apart
 * + streams × 2 × 4 KiB            what a direction may read although the budget is spent
 * + streams × 2 × 20 KiB           one incomplete TLS record for each direction (16 KiB and 277 B,
 *                                  of the pool's class of 20 KiB); nothing where no hop is encrypted
 * + event loops × 8 MiB            a chunk of the loop's arena (4 MiB) that is only partly in use,
 *                                  and one read of 1 MiB with its bytes opened and sealed again
 * + 32 MiB                         1,024 TLS handshakes with a record each, 2,048 connections that
 *                                  wait for their chain or stream with a header each, control calls
 * </pre>
 *
 * A warm connection holds no buffer. BoringSSL's own memory is allocated by the C library and not
 * counted.
 *
 * @param limitBytes the virtual machine's limit
 * @param eventLoops of the data plane
 * @param encrypts whether hops may be encrypted
 */
record DirectMemory(long limitBytes, int eventLoops, boolean encrypts) {
  private static final long MEBIBYTE = 1L << 20;
  private static final long RECORD_BYTES = 20L << 10;
  private static final long LOOP_BYTES = 8 * MEBIBYTE;
  private static final long FIXED_BYTES = 32 * MEBIBYTE;

  /** Returns the limit of this virtual machine, for a relay with these settings. */
  static DirectMemory of(RelaySettings settings) {
    return new DirectMemory(
        PlatformDependent.maxDirectMemory(),
        settings.eventLoops(),
        settings.hopSecurity() != HopSecurity.PLAIN);
  }

  /**
   * Returns the most direct memory that a relay can use, in bytes.
   *
   * @param budgetBytes most stream bytes held at a time
   * @param maxStreams most concurrent streams
   */
  long needed(long budgetBytes, int maxStreams) {
    long direction = MemoryBudget.FLOOR_BYTES + (encrypts ? RECORD_BYTES : 0);
    long besides = maxStreams * 2L * direction + eventLoops * LOOP_BYTES + FIXED_BYTES;
    // A budget so large that the sum overflows cannot be met either.
    return budgetBytes > Long.MAX_VALUE / 2
        ? Long.MAX_VALUE
        : budgetBytes + budgetBytes / 4 + besides;
  }

  /** Returns one line that says what is missing and how to fix it; null if nothing is. */
  @Nullable String shortage(long budgetBytes, int maxStreams) {
    long needed = needed(budgetBytes, maxStreams);
    return needed <= limitBytes
        ? null
        : "--memory %s with --max-streams %d needs CASCADE_DIRECT_MEMORY=%dm or more (-XX:MaxDirectMemorySize), and %dm are given; fix: start the relay with that, or give less memory or fewer streams"
            .formatted(
                size(budgetBytes),
                maxStreams,
                needed / MEBIBYTE + (needed % MEBIBYTE == 0 ? 0 : 1),
                limitBytes / MEBIBYTE);
  }

  /** Formats a size in the form that options accept. */
  private static String size(long bytes) {
    if (bytes % (1L << 30) == 0) {
      return (bytes >> 30) + "GiB";
    }
    return bytes % MEBIBYTE == 0 ? bytes / MEBIBYTE + "MiB" : Long.toString(bytes);
  }
}
