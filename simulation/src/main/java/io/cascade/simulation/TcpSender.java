package io.cascade.simulation;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Model of a TCP sender that always has data to send: every transmission has a number and is
 * acknowledged separately, as if SACK reported everything at once. A packet is lost when three
 * later ones have arrived; a time-out is at least 200 ms. No pacing, no delayed acknowledgements.
 */
final class TcpSender implements Endpoint {
  private static final int PACKET_BYTES = 1_500;
  private static final int REORDERING = 3;
  private static final long LEAST_TIMEOUT_NANOS = 200_000_000;
  private static final long FIRST_TIMEOUT_NANOS = 1_000_000_000;

  private final TcpControl control;
  private final ArrayDeque<Transmission> inFlight = new ArrayDeque<>();
  private long next;
  private long largest = -1;
  private long recoveryEnd = -1;
  private double smoothedNanos;
  private double deviationNanos;
  private long lastProgressNanos;
  private int backoff = 1;

  private record Transmission(long number, long sentNanos) {}

  TcpSender(TcpControl control) {
    this.control = control;
  }

  @Override
  public void onPacket(Object content, long nowNanos) {
    long number = (Long) content;
    largest = Math.max(largest, number);
    lastProgressNanos = nowNanos;
    backoff = 1;
    for (Transmission transmission : inFlight) {
      if (transmission.number() == number) {
        inFlight.remove(transmission);
        measure(nowNanos - transmission.sentNanos());
        if (number > recoveryEnd) {
          control.acknowledged(nowNanos, smoothedNanos / 1e9);
        }
        break;
      }
    }
    while (!inFlight.isEmpty() && inFlight.getFirst().number() <= largest - REORDERING) {
      long lost = inFlight.removeFirst().number();
      if (lost > recoveryEnd) {
        recoveryEnd = next - 1;
        control.lost(nowNanos);
      }
    }
  }

  private void measure(long sample) {
    if (smoothedNanos == 0) {
      smoothedNanos = sample;
      deviationNanos = sample / 2.0;
    } else {
      deviationNanos += (Math.abs(sample - smoothedNanos) - deviationNanos) / 4;
      smoothedNanos += (sample - smoothedNanos) / 8;
    }
  }

  private long timeoutNanos() {
    double once =
        smoothedNanos == 0
            ? FIRST_TIMEOUT_NANOS
            : Math.max(LEAST_TIMEOUT_NANOS, smoothedNanos + 4 * deviationNanos);
    return lastProgressNanos + (long) (once * backoff);
  }

  @Override
  public @Nullable Packet poll(long nowNanos) {
    if (inFlight.isEmpty()) {
      lastProgressNanos = nowNanos;
    } else if (nowNanos >= timeoutNanos()) {
      inFlight.clear();
      recoveryEnd = next - 1;
      control.timedOut(nowNanos);
      backoff = Math.min(64, 2 * backoff);
      lastProgressNanos = nowNanos;
    }
    if (inFlight.size() + 1 > control.window()) {
      return null;
    }
    inFlight.add(new Transmission(next, nowNanos));
    return new Packet(next++, PACKET_BYTES);
  }

  @Override
  public long nextNanos() {
    return inFlight.isEmpty() ? 0 : timeoutNanos();
  }
}
