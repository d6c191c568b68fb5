package io.cascade.orchestrator.chains;

/**
 * Number of chains that have not ended which each caller of the role client may have. A relay has
 * room for 1,024 parts; the quota keeps one key from taking all of them.
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

  /** Whether the number is within the range. */
  public static boolean allows(int perClient) {
    return perClient >= 1 && perClient <= MOST;
  }
}
