package io.cascade.carriage.coded;

import io.cascade.coding.crypto.DiallingRace;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import java.time.Duration;

/**
 * Times of a session's changes from UDP to TCP and back.
 *
 * @param handshake time within which a handshake over UDP must be answered
 * @param silence time without an answer over UDP after which TCP is dialled; at least three probe
 *     time-outs
 * @param firstRetry time until UDP is tried again; doubles with each failure
 * @param lastRetry upper bound of that time
 * @param alone time after which a session is abandoned while UDP is silent and TCP cannot be opened
 */
public record CarrierTimes(
    Duration handshake, Duration silence, Duration firstRetry, Duration lastRetry, Duration alone) {
  /** RFC 9000 has no such times. A relay's streams should not stall for 3.5 s. */
  public static final CarrierTimes USUAL =
      new CarrierTimes(
          Duration.ofNanos(DiallingRace.UDP_NANOS),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofNanos(SessionSettings.USUAL_SILENCE_NANOS));

  /** Returns the same times with another one for a handshake over UDP. */
  public CarrierTimes withHandshake(Duration time) {
    return new CarrierTimes(time, silence, firstRetry, lastRetry, alone);
  }

  /** Returns the same times with another one until a session is abandoned. */
  public CarrierTimes withAlone(Duration time) {
    return new CarrierTimes(handshake, silence, firstRetry, lastRetry, time);
  }

  private static final int TIMEOUTS = 3;

  /**
   * Whether none of a session's data arrives, although the peer answers: within twice the {@link
   * #silence}, since whole datagrams may be too long for the path while halves are not.
   */
  boolean isUndelivered(CodedSession session, long nowNanos) {
    long patience = Math.max(2 * silence.toNanos(), TIMEOUTS * session.probeTimeoutNanos());
    return session.answers().undeliveredNanos(nowNanos) > patience;
  }
}
