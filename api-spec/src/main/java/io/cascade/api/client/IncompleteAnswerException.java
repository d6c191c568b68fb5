package io.cascade.api.client;

import java.io.IOException;
import java.time.Duration;

/** An answer took too long, or was too large. The message says which, in one line. */
public final class IncompleteAnswerException extends IOException {
  private static final int MIB = 1 << 20;

  private IncompleteAnswerException(String message) {
    super(message);
  }

  public static IncompleteAnswerException late(Duration deadline) {
    return new IncompleteAnswerException("no complete answer within " + seconds(deadline));
  }

  static IncompleteAnswerException silent(Duration silence) {
    return new IncompleteAnswerException("not a byte for " + seconds(silence));
  }

  public static IncompleteAnswerException tooLarge(int bytes) {
    return new IncompleteAnswerException("an answer of more than " + size(bytes));
  }

  static IncompleteAnswerException longLine(int bytes) {
    return new IncompleteAnswerException("a line of more than " + size(bytes));
  }

  private static String seconds(Duration duration) {
    long millis = duration.toMillis();
    return (millis % 1_000 == 0 ? String.valueOf(millis / 1_000) : String.valueOf(millis / 1e3))
        + " s";
  }

  private static String size(int bytes) {
    return bytes % MIB == 0 ? bytes / MIB + " MiB" : bytes + " bytes";
  }
}
