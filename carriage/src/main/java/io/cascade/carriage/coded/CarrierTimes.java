package io.cascade.carriage.coded;

import io.cascade.coding.crypto.DiallingRace;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import java.time.Duration;

/**
 * Times of a session's changes from UDP to TCP and back.
 *
 * @param handshake time that UDP has to answer a handshake
 * @param silence without an answer over UDP after which TCP is dialled; or three probe time-outs
 * @param firstRetry until UDP is tried again; doubles with each one that fails
 * @param lastRetry where doubling ends
 * @param alone time for which UDP may be silent, and TCP not to be had, until the session is given
 *     up
 */
public record CarrierTimes(
    Duration handshake, Duration silence, Duration firstRetry, Duration lastRetry, Duration alone) {
  /** RFC 9000 has no such times; a relay's streams should not stand still for 3.5 s. */
  public static final CarrierTimes USUAL =
      new CarrierTimes(
          Duration.ofNanos(DiallingRace.UDP_NANOS),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofNanos(SessionSettings.USUAL_SILENCE_NANOS));

  /** The same, but for so long that UDP has for a handshake. */
  public CarrierTimes withHandshake(Duration time) {
    return new CarrierTimes(time, silence, firstRetry, lastRetry, alone);
  }

  /** The same, but for when a session is given up. */
  public CarrierTimes withAlone(Duration time) {
    return new CarrierTimes(handshake, silence, firstRetry, lastRetry, time);
  }

  private static final int TIMEOUTS = 3;

  /**
   * Whether none of a session's data arrives, though the peer answers: within twice the {@link
   * #silence}, since it may be that whole datagrams are too long, and halves are not.
   */
  boolean isUndelivered(CodedSession session, long nowNanos) {
    long patience = Math.max(2 * silence.toNanos(), TIMEOUTS * session.probeTimeoutNanos());
    return session.answers().undeliveredNanos(nowNanos) > patience;
  }
}
