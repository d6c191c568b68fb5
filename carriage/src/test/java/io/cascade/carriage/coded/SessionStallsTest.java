package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.testing.UdpPath.Faults;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How long a transfer stands still when its path changes: prints figures, where {@code
 * -Dcascade.stalls.runs} says how often. Asserts only that all bytes arrive.
 */
@Timeout(600)
@EnabledIfSystemProperty(named = "cascade.stalls.runs", matches = "[0-9]+")
class SessionStallsTest {
  private static final int RUNS = Integer.getInteger("cascade.stalls.runs", 1);
  private static final long BYTES = 16 << 20;
  private static final Faults USUAL = Faults.NONE.withDelay(25, 0).withRate(20e6, 200_000);

  private boolean isDownload;

  /** What happens to a path in mid-transfer. */
  @FunctionalInterface
  private interface Change {
    void happens(CodedEnds ends) throws Exception;
  }

  @Test
  void areShort() throws Exception {
    long[] starts = new long[RUNS];
    for (int run = 0; run < RUNS; run++) {
      starts[run] = start();
    }
    print("UDP blocked at the start, until TCP stands", starts);
    measure("UDP blocked in mid-transfer", ends -> ends.path.become(USUAL.withBlocked(true)));
    isDownload = true;
    measure("the same, downwards", ends -> ends.path.become(USUAL.withBlocked(true)));
    measure("another address of the receiver", ends -> ends.path.rebind());
    measure("1,280 bytes, downwards", ends -> ends.path.become(USUAL.withLongest(1_252)));
    isDownload = false;
    measure("1,280 bytes instead of 1,500", ends -> ends.path.become(USUAL.withLongest(1_252)));
    measure("another address of the sender", ends -> ends.path.rebind());
  }

  private static long start() throws Exception {
    try (CodedEnds ends = new CodedEnds(CarrierTimes.USUAL)) {
      ends.path.become(USUAL.withBlocked(true));
      long begun = System.nanoTime();
      var _ = ends.connectByEither();
      return System.nanoTime() - begun;
    }
  }

  private void measure(String what, Change change) throws Exception {
    long[] stalls = new long[RUNS];
    for (int run = 0; run < RUNS; run++) {
      try (CodedEnds ends = new CodedEnds(CarrierTimes.USUAL)) {
        ends.path.become(USUAL);
        if (isDownload) {
          ends.download(BYTES);
        } else {
          ends.upload(BYTES);
        }
        ends.awaitMore(BYTES / 4);
        change.happens(ends);
        stalls[run] = longestStall(ends);
        assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(BYTES);
      }
    }
    print(what, stalls);
  }

  private static long longestStall(CodedEnds ends) throws InterruptedException {
    long longest = 0;
    long before = ends.received.get();
    long since = System.nanoTime();
    while (!ends.ended.isDone()) {
      TimeUnit.MILLISECONDS.sleep(1);
      long now = System.nanoTime();
      longest = Math.max(longest, now - since);
      if (ends.received.get() != before) {
        before = ends.received.get();
        since = now;
      }
    }
    return longest;
  }

  private static void print(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s: median %.2f s, longest %.2f s of %d runs%n",
        what,
        nanos[nanos.length / 2] / 1e9,
        nanos[nanos.length - 1] / 1e9,
        nanos.length);
  }
}
