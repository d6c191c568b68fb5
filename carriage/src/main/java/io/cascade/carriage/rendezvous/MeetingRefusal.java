package io.cascade.carriage.rendezvous;

import java.util.Locale;

/** Reason for which a relay does not join an end, or no longer lets it wait. */
public enum MeetingRefusal {
  NOBODY_WAITS(1, "no end waits under this number"),
  TOO_MANY_WAITING(2, "too many connections from your address wait already"),
  TOO_MANY_REQUESTS(3, "too many requests from your address; try again in a minute"),
  TOO_MANY_STREAMS(4, "too many streams from your address run already"),
  FULL(5, "this relay has reached its limit of connections"),
  BUDGET_SPENT(6, "this relay's budget of bytes between ends is spent for today"),
  LEAVING(7, "this relay is shutting down or being replaced; connect again"),
  EXPIRED(8, "waited for the longest time allowed; connect again"),
  REPLACED(9, "replaced by a newer connection that waits"),
  MALFORMED(10, "not a request that this relay understands"),
  LATE(11, "the request did not arrive in time"),
  /** Another reason, which the words name. */
  OTHER(255, "not now");

  private final int number;
  private final String words;

  MeetingRefusal(int number, String words) {
    this.number = number;
    this.words = words;
  }

  /** The reason's words for people. */
  public String words() {
    return words;
  }

  /** The reason's name in metrics. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  int number() {
    return number;
  }

  static MeetingRefusal of(int number) {
    for (MeetingRefusal each : values()) {
      if (each.number == number) {
        return each;
      }
    }
    return OTHER;
  }
}
