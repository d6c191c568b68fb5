package io.cascade.coding.redundancy;

import io.cascade.coding.window.GapSet;

/**
 * State of a sender on which a redundancy policy decides.
 *
 * @param next id of the next source symbol, which is the number sent so far
 * @param floor lowest symbol that the receiver may lack
 * @param seen number of symbols that the receiver knew, and of equations that it held, at its
 *     newest acknowledgement
 * @param gaps unseen symbols at that acknowledgement
 * @param reportedPacket largest packet number that it reports
 * @param nextPacket number of the next packet
 * @param unreported data packets sent after the newest that the acknowledgement reports
 * @param inFlight data packets in flight
 * @param sourceWaits whether a source symbol could be sent now
 * @param lossRate of all packets, 0 to below 1
 * @param burstPackets mean length of a loss burst
 * @param packetsPerSecond sending rate
 */
public record SendingView(
    long next,
    long floor,
    long seen,
    GapSet gaps,
    long reportedPacket,
    long nextPacket,
    long unreported,
    int inFlight,
    boolean sourceWaits,
    double lossRate,
    double burstPackets,
    double packetsPerSecond) {

  /** Number of symbols that the receiver may lack. */
  public long outstanding() {
    return next - floor;
  }
}
