package io.cascade.relay.throughput;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Admission of tests in which a relay takes part, as sender or as receiver: one at a time, each
 * identifier once, none while streams move bulk, and none beyond the hour's bytes.
 */
final class Admission {
  /** Most remembered identifiers: more than the tests that run while a recorded key is valid. */
  private static final int REMEMBERED = 1_024;

  private static final Duration SOON = Duration.ofSeconds(2);

  private final TestBudget budget;
  private final StreamActivity streams;
  private final BooleanSupplier draining;
  private final Set<UUID> seen = new LinkedHashSet<>();
  private @Nullable Place taken;

  Admission(TestBudget budget, StreamActivity streams, BooleanSupplier draining) {
    this.budget = budget;
    this.streams = streams;
    this.draining = draining;
  }

  /** A test's place, until it is left. */
  final class Place {
    private final TestBudget.Taken bytes;

    private Place(TestBudget.Taken bytes) {
      this.bytes = bytes;
    }

    /** Ends the test, which has moved {@code movedBytes}. Idempotent. */
    void leave(long movedBytes) {
      synchronized (Admission.this) {
        if (taken == this) {
          taken = null;
          bytes.settle(movedBytes);
        }
      }
    }
  }

  /**
   * @param bytes most bytes that the test moves
   */
  synchronized Place admit(UUID test, long bytes) throws TestRefused {
    if (draining.getAsBoolean()) {
      throw new TestRefused(TestRefused.Reason.DRAINING, "this relay is stopping");
    }
    if (taken != null) {
      throw new TestRefused(
          TestRefused.Reason.BUSY, "another throughput test is under way at this relay", SOON);
    }
    if (seen.contains(test)) {
      throw new TestRefused(
          TestRefused.Reason.BUSY, "test " + test + " was run already (fix: a new testId)");
    }
    if (streams.movesBulk()) {
      throw new TestRefused(
          TestRefused.Reason.STREAMS,
          "streams of this relay move more than 1 Mbit/s, and a test would slow them",
          SOON);
    }
    TestBudget.Taken fromBudget = budget.take(bytes);
    if (fromBudget == null) {
      throw overBudget(bytes);
    }
    remember(test);
    Place place = new Place(fromBudget);
    taken = place;
    return place;
  }

  private TestRefused overBudget(long bytes) {
    Duration wait = budget.waitFor(bytes);
    String message =
        wait == null
            ? "a test of "
                + bytes
                + " bytes is more than this relay's budget for an hour, "
                + budget.hourBytes()
                + " bytes (fix: a smaller test, or start the relay with a larger --test-budget)"
            : "a test of "
                + bytes
                + " bytes is more than what is left of this relay's budget for an"
                + " hour, "
                + budget.leftBytes()
                + " bytes";
    return new TestRefused(TestRefused.Reason.BUDGET, message, wait);
  }

  private void remember(UUID test) {
    seen.add(test);
    if (seen.size() > REMEMBERED) {
      var oldest = seen.iterator();
      oldest.next();
      oldest.remove();
    }
  }
}
