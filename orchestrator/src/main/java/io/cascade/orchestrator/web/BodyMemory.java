package io.cascade.orchestrator.web;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Memory for the bodies of all requests that are being answered, limited in total and for each
 * caller with its own key. An object or a list counts more than its text: two bytes of text become
 * a record, which is allocated before the limit of its list is checked. Thread-safe.
 */
@Component
final class BodyMemory {
  static final long MOST_BYTES = 64L << 20;

  /** Limit for one caller and for one body: a heartbeat with ten thousand links takes 3 MiB. */
  static final long MOST_OF_CALLER = 8L << 20;

  /** Memory of an object or a list beside its text. */
  private static final int OBJECT_BYTES = 64;

  private final Map<String, Long> ofCaller = new HashMap<>();
  private long held;

  /**
   * Opens a share for the body of one request.
   *
   * @param owner owner of the caller; null if its credential is shared, in which case only the
   *     total is limited
   */
  Share open(@Nullable String owner) {
    return new Share(owner);
  }

  /** Bytes of all bodies at present. */
  synchronized long held() {
    return held;
  }

  /**
   * Takes memory for more bytes.
   *
   * @return why there is none; null if it was taken
   */
  private synchronized @Nullable Refusal take(@Nullable String owner, long bytes) {
    if (held + bytes > MOST_BYTES) {
      return new Refusal(
          ProblemKind.TOO_MANY_BODIES,
          "bodies of requests take " + MOST_BYTES + " bytes of memory; try again in 1 s");
    }
    if (owner != null) {
      long after = ofCaller.getOrDefault(owner, 0L) + bytes;
      if (after > MOST_OF_CALLER) {
        return new Refusal(
            ProblemKind.TOO_MANY_CALLS,
            "bodies of "
                + owner
                + " take "
                + MOST_OF_CALLER
                + " bytes of memory; send less at a time");
      }
      ofCaller.put(owner, after);
    }
    held += bytes;
    return null;
  }

  private synchronized void giveBack(@Nullable String owner, long bytes) {
    held -= bytes;
    if (owner != null) {
      ofCaller.computeIfPresent(owner, (_, all) -> all == bytes ? null : all - bytes);
    }
  }

  /** Memory of the body of one request, until it is closed. Not thread-safe. */
  final class Share implements AutoCloseable {
    private final @Nullable String owner;
    private long taken;

    private Share(@Nullable String owner) {
      this.owner = owner;
    }

    /**
     * Takes memory for bytes of the body that were read.
     *
     * @return why there is none; null if it was taken
     */
    @Nullable Refusal add(byte[] body, int offset, int length) {
      long bytes = length;
      for (int i = offset; i < offset + length; i++) {
        if (body[i] == '{' || body[i] == '[') {
          bytes += OBJECT_BYTES;
        }
      }
      if (taken + bytes > MOST_OF_CALLER) {
        return new Refusal(
            ProblemKind.TOO_LARGE,
            "body (expected: at most " + MOST_OF_CALLER + " bytes in memory)");
      }
      Refusal refusal = take(owner, bytes);
      if (refusal == null) {
        taken += bytes;
      }
      return refusal;
    }

    @Override
    public void close() {
      giveBack(owner, taken);
      taken = 0;
    }
  }
}
