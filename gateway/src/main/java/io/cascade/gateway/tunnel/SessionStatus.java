package io.cascade.gateway.tunnel;

import io.cascade.coding.session.SessionAccount;

/**
 * Counters of a session since its beginning, and its present estimates.
 *
 * @param mode of the rate controller
 * @param lossRate of what this end sends, 0 to 1
 * @param sourcesSent symbols with packets
 * @param repairsSent symbols that repair others
 * @param packetsLate that arrived after they were no longer waited for
 * @param forged datagrams that failed authentication
 */
public record SessionStatus(
    String mode,
    long roundTripMicros,
    double lossRate,
    long sourcesSent,
    long repairsSent,
    long repeatsSent,
    long packetsSent,
    long packetsReceived,
    long packetsLate,
    long forged) {
  static SessionStatus of(SessionCarrier carrier) {
    SessionAccount account = carrier.account();
    return new SessionStatus(
        account.mode(),
        account.roundTripNanos() / 1_000,
        account.lossRate(),
        account.sourcesSent(),
        account.repairsSent(),
        account.repeatsSent(),
        carrier.packetsSent(),
        carrier.packetsReceived(),
        carrier.packetsLate(),
        carrier.forged());
  }
}
