package io.cascade.client.doctor;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Probes over one channel and their answers, which are read on a thread until it is closed. */
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
   * @param numbers how many numbers probes may have
   * @param epochMillis this host's time of day
   */
  ProbeAnswers(DatagramChannel channel, int numbers, LongSupplier epochMillis) {
    this.channel = channel;
    this.epochMillis = epochMillis;
    this.askedNanos = new long[numbers];
    this.came = new boolean[numbers];
    Thread.ofPlatform().daemon().name("answers to probes").start(this::read);
  }

  /** Sends a probe; one that cannot be sent has no answer. */
  void ask(int number, int bytes) {
    synchronized (this) {
      askedNanos[number] = System.nanoTime();
    }
    try {
      channel.write(new ProbeDatagram(false, number, epochMillis.getAsLong(), bytes).encode());
    } catch (IOException e) {
      // Larger than this host's link carries, or nobody listens there.
    }
  }

  private void read() {
    ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    while (channel.isOpen()) {
      try {
        channel.read(in.clear());
        ProbeDatagram.decode(in.flip()).filter(ProbeDatagram::answer).ifPresent(this::note);
      } catch (PortUnreachableException e) {
        // Nobody listens there.
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
    if (roundTrip < leastNanos) { // The quickest one tells the other clock best.
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

  /** Waits for a first answer; returns whether there is one. */
  synchronized boolean awaitAny(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis();
        leastNanos == Long.MAX_VALUE && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
      wait(left);
    }
    return leastNanos < Long.MAX_VALUE;
  }

  /** Round trip of the quickest probe, of which there is one. */
  synchronized Duration leastRoundTrip() {
    return Duration.ofNanos(leastNanos);
  }

  /** How far this host's clock is ahead of the other's. */
  synchronized Duration ahead() {
    return Duration.ofMillis(aheadMillis);
  }
}
