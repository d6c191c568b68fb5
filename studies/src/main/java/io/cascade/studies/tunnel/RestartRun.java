package io.cascade.studies.tunnel;

import org.jspecify.annotations.Nullable;

/**
 * A gateway of a cascaded tunnel was killed while a connection sent, and started again.
 *
 * @param gateway gw1, gw2 or gw3
 * @param repetition from 1 on
 * @param absentSeconds from the kill until the new process said that it is ready
 * @param pingSeconds from then until the first ping came back; 0 where one had before
 * @param bytesSeconds from then until the connection's receiver got bytes again, which waits for
 *     the sender's time-out
 * @param failure why it says nothing; null otherwise
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
