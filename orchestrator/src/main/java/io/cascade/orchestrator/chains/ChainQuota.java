package io.cascade.orchestrator.chains;

/**
 * How many chains that have not ended each caller of the role client may have. A relay has room for
 * 1,024 parts, and one key shall not take all of them.
 *
 * @param perClient 1 to {@link #MOST}
 */
public record ChainQuota(int perClient) {
  public static final int MOST = 100_000;

  public ChainQuota {
    if (!allows(perClient)) {
      throw new IllegalArgumentException(
          "chains per client: " + perClient + " (expected: 1 to " + MOST + ")");
    }
  }

  /** Whether that is within the range. */
  public static boolean allows(int perClient) {
    return perClient >= 1 && perClient <= MOST;
  }
}
