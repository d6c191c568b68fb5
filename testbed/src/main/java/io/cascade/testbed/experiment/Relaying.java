package io.cascade.testbed.experiment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When a relay passes on what it receives: the chain options that an experiment varies. */
public sealed interface Relaying {

  /** At once. */
  record Pipelined() implements Relaying {}

  /** When the sender has finished. */
  record StoreAndForward() implements Relaying {}

  /**
   * After round trips of the hop it comes from.
   *
   * @param count the paper's W
   */
  record Windows(int count) implements Relaying {}

  /** {@code pipelined}, {@code store-and-forward}, {@code 16 windows}. */
  static Relaying parse(String text) {
    Matcher windows = Pattern.compile("([0-9]{1,2}) windows?").matcher(text);
    if (windows.matches()) {
      int count = Integer.parseInt(windows.group(1));
      if (count > 64) {
        throw new IllegalArgumentException("'" + text + "' (expected: at most 64 windows)");
      }
      return new Windows(count);
    }
    return switch (text) {
      case "pipelined" -> new Pipelined();
      case "store-and-forward" -> new StoreAndForward();
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' (expected: pipelined, store-and-forward or 16 windows)");
    };
  }
}
