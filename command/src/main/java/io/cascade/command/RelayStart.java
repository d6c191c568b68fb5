package io.cascade.command;

/** Command that starts a relay, for advice to users. */
public final class RelayStart {
  private RelayStart() {}

  /**
   * @param orchestrator its address, or a placeholder for it
   */
  public static String command(String orchestrator) {
    return "./cascade relay --name r1 --orchestrator "
        + orchestrator
        + " (on another host also --listen 0.0.0.0 --token TOKEN)";
  }
}
