package io.cascade.carriage.coded;

import io.cascade.coding.wire.Frame;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures what a TCP connection carries while UDP carries the session. Sends datagrams of padding,
 * as many as the connection would deliver in a second if it were clearly better than UDP, in eight
 * parts. Each part is followed by a challenge, whose answer shows when it has arrived. Only the
 * rate of the later half counts, since a connection starts slowly.
 */
final class CarrierTrial {
  /** Ratio from which TCP is clearly better. */
  static final double CLEARLY = 1.5;

  private static final int PARTS = 8;
  private static final int LEAST_A_PART = 3;
  private static final int MOST_A_PART = 400;
  private static final int ROOM_BYTES = 2_000;
  private static final long MOST_NANOS = 2_000_000_000L;
  private static final int MOST_ROUND_TRIPS = 4;
  private static final long LEAST_NANOS = 1_000_000;

  private final SessionDriver driver;
  private final TcpCarrier by;
  private final double packetsPerSecond;
  private final int partPackets;
  private final long firstChallenge = ThreadLocalRandom.current().nextLong();
  private final long endNanos;
  private int sent;
  private int answered;
  private long halfNanos;
  private Verdict verdict = Verdict.NONE;

  /** Result of a trial. */
  enum Verdict {
    NONE,
    BETTER,
    NO_BETTER
  }

  /**
   * @param packetsPerSecond rate of UDP
   */
  CarrierTrial(SessionDriver driver, TcpCarrier by, double packetsPerSecond, long nowNanos) {
    this.driver = driver;
    this.by = by;
    this.packetsPerSecond = packetsPerSecond;
    this.partPackets =
        Math.clamp((long) (CLEARLY * packetsPerSecond / PARTS), LEAST_A_PART, MOST_A_PART);
    this.endNanos =
        nowNanos + MOST_NANOS + MOST_ROUND_TRIPS * driver.session().account().roundTripNanos();
  }

  TcpCarrier carrier() {
    return by;
  }

  /** Sends as much as the connection accepts. */
  void send() {
    int all = PARTS * (partPackets + 1);
    while (sent < all && by.hasRoom(ROOM_BYTES)) {
      int part = sent / (partPackets + 1);
      sent++;
      if (sent % (partPackets + 1) == 0) {
        driver.challenge(by, firstChallenge + part);
      } else {
        driver.send(by, new Frame.Padding(1), ROOM_BYTES);
      }
    }
  }

  /**
   * A challenge was answered on the connection; challenges that are not the trial's are ignored.
   */
  void answered(long data, long nowNanos) {
    if (data != firstChallenge + answered || answered == PARTS) {
      return;
    }
    answered++;
    if (answered == PARTS / 2) {
      halfNanos = nowNanos;
    } else if (answered == PARTS) {
      double packets = partPackets * PARTS / 2.0;
      double rate = packets * 1e9 / Math.max(LEAST_NANOS, nowNanos - halfNanos);
      verdict = rate > CLEARLY * packetsPerSecond ? Verdict.BETTER : Verdict.NO_BETTER;
    }
  }

  Verdict verdict(long nowNanos) {
    return verdict == Verdict.NONE && nowNanos - endNanos >= 0 ? Verdict.NO_BETTER : verdict;
  }
}
