package io.cascade.client.doctor;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends probes over one channel and reads their answers on a thread until the channel is closed.
 */
final class ProbeAnswers {
  private static final int MOST_BYTES = 2_048;

  private final DatagramChannel channel;
  private final LongSupplier epochMillis;
  private final long[] askedNanos;
  private final boolean[] came;
  private long leastNanos = Long.MAX_VALUE;
  private long aheadMillis;

  /**
   * @param channel connected
   * @param numbers count of probe numbers
   * @param epochMillis this host's time of day
   */
  ProbeAnswers(DatagramChannel channel, int numbers, LongSupplier epochMillis) {
    this.channel = channel;
    this.epochMillis = epochMillis;
    this.askedNanos = new long[numbers];
    this.came = new boolean[numbers];
    Thread.ofPlatform().daemon().name("answers to probes").start(this::read);
  }

  /** Sends a probe; one that cannot be sent counts as unanswered. */
  void ask(int number, int bytes) {
    synchronized (this) {
      askedNanos[number] = System.nanoTime();
    }
    try {
      channel.write(new ProbeDatagram(false, number, epochMillis.getAsLong(), bytes).encode());
    } catch (IOException e) {
      // The packet exceeds the MTU of this host's link, or no process listens at the port.
    }
  }

  private void read() {
    ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    while (channel.isOpen()) {
      try {
        channel.read(in.clear());
        ProbeDatagram.decode(in.flip()).filter(ProbeDatagram::answer).ifPresent(this::note);
      } catch (PortUnreachableException e) {
        // No process listens at the port.
      } catch (IOException e) {
        return;
      }
    }
  }

  private synchronized void note(ProbeDatagram answer) {
    int number = answer.number();
    if (number < 0 || number >= came.length || came[number]) {
      return;
    }
    came[number] = true;
    long roundTrip = System.nanoTime() - askedNanos[number];
    // The probe with the least round trip gives the best estimate of the peer's clock.
    if (roundTrip < leastNanos) {
      leastNanos = roundTrip;
      aheadMillis =
          epochMillis.getAsLong()
              - answer.epochMillis()
              - TimeUnit.NANOSECONDS.toMillis(roundTrip) / 2;
    }
    notifyAll();
  }

  synchronized boolean has(int number) {
    return came[number];
  }

  /** Waits for a first answer and returns whether one arrived. */
  synchronized boolean awaitAny(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis();
        leastNanos == Long.MAX_VALUE && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
      wait(left);
    }
    return leastNanos < Long.MAX_VALUE;
  }

  /** Round trip of the quickest probe; at least one answer must have arrived. */
  synchronized Duration leastRoundTrip() {
    return Duration.ofNanos(leastNanos);
  }

  /** How far this host's clock is ahead of the peer's. */
  synchronized Duration ahead() {
    return Duration.ofMillis(aheadMillis);
  }
}
