package io.cascade.model.cascade;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.tcp.SteadyRate;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One TCP connection between neighbours.
 *
 * @param rttSeconds round-trip time between them
 * @param lossProbability chance that a packet is lost
 * @param capacityBitsPerSecond the link's capacity on the wire; empty if unknown, and then no cap
 * @param framing packet size and headers
 * @param model the rate that the sender's congestion control would reach
 * @param receiveWindowBytes the most that the receiver grants, or that the buffers at the hop's
 *     ends hold; empty if neither limits
 */
public record Hop(
    double rttSeconds,
    double lossProbability,
    OptionalDouble capacityBitsPerSecond,
    Framing framing,
    ThroughputModel model,
    OptionalLong receiveWindowBytes) {

  /** Checks every value. */
  public Hop {
    Require.positive("rttSeconds", rttSeconds);
    Require.probability("lossProbability", lossProbability);
    capacityBitsPerSecond.ifPresent(value -> Require.positive("capacityBitsPerSecond", value));
    receiveWindowBytes.ifPresent(value -> Require.atLeast("receiveWindowBytes", value, 1));
  }

  /** Reno over 1500-byte Ethernet, of unknown capacity, with a window that never limits. */
  public static Hop of(double rttSeconds, double lossProbability) {
    return new Hop(
        rttSeconds,
        lossProbability,
        OptionalDouble.empty(),
        Framing.ETHERNET_1500,
        CongestionControl.RENO.model(),
        OptionalLong.empty());
  }

  /** The same hop with another round-trip time. */
  public Hop withRtt(double seconds) {
    return new Hop(
        seconds, lossProbability, capacityBitsPerSecond, framing, model, receiveWindowBytes);
  }

  /** The same hop with another loss. */
  public Hop withLoss(double probability) {
    return new Hop(
        rttSeconds, probability, capacityBitsPerSecond, framing, model, receiveWindowBytes);
  }

  /** The same hop with a known capacity. */
  public Hop withCapacity(Rate capacity) {
    return new Hop(
        rttSeconds,
        lossProbability,
        OptionalDouble.of(capacity.bitsPerSecond()),
        framing,
        model,
        receiveWindowBytes);
  }

  /** The same hop with another congestion control. */
  public Hop withCongestionControl(CongestionControl other) {
    return withModel(other.model());
  }

  /** The same hop with another model of its sender. */
  public Hop withModel(ThroughputModel other) {
    return new Hop(
        rttSeconds, lossProbability, capacityBitsPerSecond, framing, other, receiveWindowBytes);
  }

  /** The same hop with a receiver that grants no more than this. */
  public Hop withReceiveWindow(long bytes) {
    return new Hop(
        rttSeconds, lossProbability, capacityBitsPerSecond, framing, model, OptionalLong.of(bytes));
  }

  /** The same hop with a receiver that grants no more than this; without a limit if empty. */
  public Hop withReceiveWindow(OptionalLong bytes) {
    return new Hop(rttSeconds, lossProbability, capacityBitsPerSecond, framing, model, bytes);
  }

  /** Payload of a full packet. */
  public int mssBytes() {
    return framing.mssBytes();
  }

  /** Payload that the link carries; infinite if its capacity is unknown. */
  public double payloadCapacityBitsPerSecond() {
    return capacityBitsPerSecond.isPresent()
        ? framing.payloadShare() * capacityBitsPerSecond.getAsDouble()
        : Double.POSITIVE_INFINITY;
  }

  /** Payload rate that link and receiver allow without losses; infinite if neither is known. */
  public double unhinderedBitsPerSecond() {
    double window =
        receiveWindowBytes.isPresent()
            ? 8 * receiveWindowBytes.getAsLong() / rttSeconds
            : Double.POSITIVE_INFINITY;
    return Math.min(payloadCapacityBitsPerSecond(), window);
  }

  /** Bytes between two losses if losses set the rate, MSS/p; otherwise 0. */
  public double bytesBetweenLosses() {
    boolean byLosses =
        model.windowKeptAtLoss().isPresent()
            && lossProbability > 0
            && steadyRate().bitsPerSecond() < unhinderedBitsPerSecond();
    return byLosses ? mssBytes() / lossProbability : 0;
  }

  /** The rate after slow start, and its limit. */
  public SteadyRate steadyRate() {
    return SteadyRate.of(
        model,
        new PathConditions(rttSeconds, lossProbability, mssBytes(), payloadCapacityBitsPerSecond()),
        receiveWindowBytes.isPresent() ? receiveWindowBytes.getAsLong() : Double.POSITIVE_INFINITY);
  }

  /**
   * Time from the moment a packet starts to leave until all of it has arrived: half a round trip
   * and its time on the wire.
   *
   * <pre>
   * f = RTT/2 + 8·MSS/(share·C)        s; the second term is 0 where C is unknown
   * </pre>
   *
   * <p>Worked value: 64 ms and 32 Mbit/s: 32.385 ms.
   */
  public double packetDelaySeconds() {
    return rttSeconds / 2 + 8 * mssBytes() / payloadCapacityBitsPerSecond();
  }
}
