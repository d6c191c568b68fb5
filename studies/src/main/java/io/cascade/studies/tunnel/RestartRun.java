package io.cascade.studies.tunnel;

import org.jspecify.annotations.Nullable;

/**
 * A gateway of a cascaded tunnel was killed while a connection sent, and started again.
 *
 * @param gateway that was killed: gw1, gw2 or gw3
 * @param repetition from 1
 * @param absentSeconds from the kill until the new process reported that it is ready
 * @param pingSeconds from then until the first ping was answered; 0 if one was answered before
 * @param bytesSeconds from then until the connection's receiver got bytes again, for which the
 *     sender's time-out has to expire
 * @param failure reason why the run does not count; null if it does
 */
public record RestartRun(
    String gateway,
    int repetition,
    double absentSeconds,
    double pingSeconds,
    double bytesSeconds,
    double load,
    @Nullable String failure) {
  String key() {
    return key(gateway, repetition);
  }

  static String key(String gateway, int repetition) {
    return gateway + " #" + repetition;
  }
}
