package io.cascade.studies.experiment;

import io.cascade.command.DataSize;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rule by which a relay forwards what it receives: the chain options that an experiment varies. */
public sealed interface Relaying {

  /** Forwards at once. */
  record Pipelined() implements Relaying {}

  /** Forwards when the sender has finished. */
  record StoreAndForward() implements Relaying {}

  /**
   * Forwards after a number of round trips of the incoming hop.
   *
   * @param count W of the paper
   */
  record Windows(int count) implements Relaying {}

  /**
   * Forwards in chunks, each when it is complete.
   *
   * @param bytes G of the model, at most 256 MiB
   */
  record Chunked(long bytes) implements Relaying {
    /** A relay holds at most 1 GiB of a stream, and a chunk may be a quarter of that. */
    private static final long MOST_BYTES = 256L << 20;

    /** Buffer that a relay needs for this rule. */
    long bufferBytes() {
      return Math.max(4 * bytes, 4L << 20);
    }
  }

  /**
   * Parses {@code pipelined}, {@code store-and-forward}, {@code 16 windows}, {@code chunked 1MiB}.
   */
  static Relaying parse(String text) {
    if (text.startsWith("chunked ")) {
      long bytes = DataSize.parse(text.substring("chunked ".length())).bytes();
      if (bytes < 1 || bytes > Chunked.MOST_BYTES) {
        throw new IllegalArgumentException("'" + text + "' (expected: chunks of 1 B to 256 MiB)");
      }
      return new Chunked(bytes);
    }
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
              "'"
                  + text
                  + "' (expected: pipelined, store-and-forward, 16 windows or chunked 1MiB)");
    };
  }
}
