package io.cascade.studies.coded;

import io.cascade.links.Loss;
import org.jspecify.annotations.Nullable;

/**
 * Result of one run of a cell.
 *
 * @param number of the run among those of its cell
 * @param seconds that were counted
 * @param payloadBits per second of the flow, in order
 * @param besideBits payload per second of the TCP flow beside it
 * @param share of the bottleneck's throughput, including packets of the flow that were lost behind
 *     it
 * @param used throughput of the bottleneck over its rate
 * @param roundTripFactor mean round trip of pings through the bottleneck over that without load
 * @param roundTripHigh 95th percentile over the mean round trip without load
 * @param droppedShare of packets that found the queue full
 * @param overflowed packets that the emulator dropped because it was too slow, which no model
 *     contains
 * @param sourceCpu processor seconds of the sending process per GiB of payload; unknown for TCP
 * @param competeShare of the time in which the controller competed
 * @param load threads that ran or waited for a processor on the machine, over the last minute
 */
record LabRun(
    LabCell cell,
    int number,
    double seconds,
    double payloadBits,
    double besideBits,
    double share,
    double used,
    double roundTripFactor,
    double roundTripHigh,
    double droppedShare,
    long overflowed,
    double sourceCpu,
    double sinkCpu,
    double repairShare,
    double lossRate,
    double baseLoss,
    double capacityMegabits,
    double competeShare,
    double load,
    @Nullable String failure) {
  String key() {
    return key(cell, number);
  }

  static String key(LabCell cell, int number) {
    return cell.key() + " #" + number;
  }

  /** Payload over the highest payload that a link of this rate and loss can carry. */
  double ofBest() {
    double best = 0.957e6 * cell.megabits() * (1 - lossOf(cell));
    return payloadBits / best;
  }

  static double lossOf(LabCell cell) {
    return Loss.parse(cell.loss()).meanProbability();
  }

  static LabRun failed(LabCell cell, int number, String why) {
    return new LabRun(cell, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, why);
  }
}
