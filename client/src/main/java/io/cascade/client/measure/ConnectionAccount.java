package io.cascade.client.measure;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the kernel's counters of a connection while a transfer uses it, and says at the end what
 * they show of the path to the connection's peer. Looks at them at most every 20 ms, less often the
 * longer the transfer takes.
 */
public final class ConnectionAccount {
  private static final long FIRST_INTERVAL_NANOS = 20_000_000;
  private static final int MOST_SAMPLES = 512;
  private static final int STEADY_ROUND_TRIPS = 4;

  /** Share of the time above which something else than the network limits a connection. */
  private static final double LIMITED = 0.1;

  /** What a standing queue adds to the round trip at the least, as a share of it and in ms. */
  private static final double QUEUE_SHARE = 0.25;

  private static final double QUEUE_MILLIS = 2;

  private static final TcpCounters NOTHING = new TcpCounters(0, 0, 0, 0, 0, 0, 0, 0, false);

  private final Supplier<Optional<TcpCounters>> counters;
  private final String congestionControl;
  private final long startNanos;
  private final List<Sample> samples = new ArrayList<>();
  private long intervalNanos = FIRST_INTERVAL_NANOS;

  private record Sample(long nanos, TcpCounters counters) {}

  /** The part of the transfer behind its beginning, in which TCP finds its rate. */
  private record Steady(
      @Nullable Double bitsPerSecond,
      double rttMillis,
      long sent,
      long retransmitted,
      long lossEvents,
      TransferLimit limitedBy) {}

  ConnectionAccount(
      Supplier<Optional<TcpCounters>> counters, String congestionControl, long startNanos) {
    this.counters = counters;
    this.congestionControl = congestionControl;
    this.startNanos = startNanos;
  }

  /**
   * Begins the account of a connected channel over which nothing was sent; null where the system
   * does not count.
   *
   * @param nowNanos by {@link System#nanoTime}, as all times of an account
   */
  public static @Nullable ConnectionAccount of(SocketChannel connection, long nowNanos) {
    KernelSocket socket = KernelSocket.of(connection).orElse(null);
    String control = socket == null ? null : socket.congestionControl().orElse(null);
    return socket == null || control == null
        ? null
        : new ConnectionAccount(socket::counters, control, nowNanos);
  }

  /** Looks at the counters, if that is due. */
  public synchronized void look(long nowNanos) {
    if (!samples.isEmpty() && nowNanos - samples.getLast().nanos() < intervalNanos) {
      return;
    }
    counters.get().ifPresent(now -> samples.add(new Sample(nowNanos, now)));
    if (samples.size() >= MOST_SAMPLES) {
      List<Sample> half = new ArrayList<>();
      for (int i = 1; i < samples.size(); i += 2) {
        half.add(samples.get(i));
      }
      samples.clear();
      samples.addAll(half);
      intervalNanos *= 2;
    }
  }

  /** What was counted until the latest look; null where that is nothing. */
  public synchronized @Nullable TransferAccount account() {
    if (samples.isEmpty()) {
      return null;
    }
    Sample last = samples.getLast();
    TcpCounters now = last.counters();
    if (now.minRttMicros() == 0 || now.sentSegments() == 0 || last.nanos() <= startNanos) {
      return null;
    }
    Steady steady = steady();
    return new TransferAccount(
        (last.nanos() - startNanos) / 1e9,
        steady == null ? null : steady.bitsPerSecond(),
        now.sentSegments(),
        now.retransmittedSegments(),
        steady == null ? null : (Long) steady.sent(),
        steady == null ? null : (Long) steady.retransmitted(),
        now.minRttMicros() / 1e3,
        steady == null ? null : (Double) steady.rttMillis(),
        congestionControl,
        steady == null ? limitedBy(startNanos, NOTHING, last) : steady.limitedBy(),
        steady == null ? null : (Long) steady.lossEvents());
  }

  private @Nullable Steady steady() {
    Sample last = samples.getLast();
    long from = startNanos + (last.nanos() - startNanos) / 3;
    List<Sample> late = samples.stream().filter(sample -> sample.nanos() >= from).toList();
    Sample first = late.getFirst();
    long[] rtts = late.stream().mapToLong(one -> one.counters().rttMicros()).sorted().toArray();
    long rtt = rtts[rtts.length / 2];
    long nanos = last.nanos() - first.nanos();
    if (nanos <= 0 || nanos < STEADY_ROUND_TRIPS * rtt * 1_000) {
      return null;
    }
    long arrived = last.counters().arrivedBytes() - first.counters().arrivedBytes();
    return new Steady(
        arrived * 8e9 / nanos,
        rtt / 1e3,
        last.counters().sentSegments() - first.counters().sentSegments(),
        last.counters().retransmittedSegments() - first.counters().retransmittedSegments(),
        lossEvents(late),
        isApplicationLimited(late, last.nanos() - 1_000 * rtt)
            ? TransferLimit.APPLICATION
            : limitedBy(first.nanos(), first.counters(), last));
  }

  /** Of the last round trip nothing is concluded: there is nothing left to send then. */
  private static boolean isApplicationLimited(List<Sample> samples, long untilNanos) {
    List<Sample> counted = samples.stream().filter(one -> one.nanos() <= untilNanos).toList();
    long limited = counted.stream().filter(one -> one.counters().applicationLimited()).count();
    return limited > LIMITED * counted.size();
  }

  /** Groups of retransmissions, each no longer than the round trip at its beginning. */
  private static long lossEvents(List<Sample> samples) {
    long events = 0;
    long endNanos = Long.MIN_VALUE;
    TcpCounters before = samples.getFirst().counters();
    for (Sample sample : samples) {
      TcpCounters now = sample.counters();
      if (now.retransmittedSegments() > before.retransmittedSegments()
          && sample.nanos() >= endNanos) {
        events++;
        endNanos = sample.nanos() + 1_000 * now.rttMicros();
      }
      before = now;
    }
    return events;
  }

  /** The times exclude each other but for that of being busy, which holds the others. */
  private static TransferLimit limitedBy(long fromNanos, TcpCounters before, Sample last) {
    TcpCounters now = last.counters();
    double micros = (last.nanos() - fromNanos) / 1e3;
    if (now.receiverLimitedMicros() - before.receiverLimitedMicros() > LIMITED * micros) {
      return TransferLimit.RECEIVER;
    }
    if (now.senderLimitedMicros() - before.senderLimitedMicros() > LIMITED * micros) {
      return TransferLimit.SENDER_BUFFER;
    }
    return now.busyMicros() - before.busyMicros() < (1 - LIMITED) * micros
        ? TransferLimit.APPLICATION
        : TransferLimit.NETWORK;
  }

  /**
   * Accounts of two connections that ran at the same time. Where both stood in a queue, that may
   * have been the same one, and neither shows a capacity.
   */
  public static boolean shareAQueue(
      @Nullable TransferAccount one, @Nullable TransferAccount other) {
    return one != null && other != null && stoodInQueue(one) && stoodInQueue(other);
  }

  private static boolean stoodInQueue(TransferAccount account) {
    Double loaded = account.loadedRttMillis();
    double queue = Math.max(QUEUE_SHARE * account.minRttMillis(), QUEUE_MILLIS);
    return loaded != null && loaded >= account.minRttMillis() + queue;
  }

  /** The same account, limited by something else. */
  public static TransferAccount limitedBy(TransferAccount account, TransferLimit limit) {
    return new TransferAccount(
        account.seconds(),
        account.steadyBitsPerSecond(),
        account.sentSegments(),
        account.retransmittedSegments(),
        account.steadySentSegments(),
        account.steadyRetransmittedSegments(),
        account.minRttMillis(),
        account.loadedRttMillis(),
        account.congestionControl(),
        limit,
        account.steadyLossEvents());
  }
}
