package io.cascade.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes every test of a run check the conditions that it waits for at once and often, and wait for
 * them long enough on a busy machine. Awaitility by default checks for the first time after 100 ms.
 */
public final class PromptConditions implements LauncherSessionListener {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  /** Time-out of a condition: on a busy machine far longer than the usual second. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
