package io.cascade.client.measure;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.kernel.tcp.SendingLimit;
import io.cascade.kernel.tcp.SendingSample;
import io.cascade.kernel.tcp.StandingQueue;
import io.cascade.kernel.tcp.SteadySending;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Samples the kernel's counters of a connection while a transfer uses it, and derives from them
 * what they show of the path to the connection's peer. The sampling interval is at least 20 ms and
 * grows with the length of the transfer.
 */
public final class ConnectionAccount {
  private static final long FIRST_INTERVAL_NANOS = 20_000_000;
  private static final int MOST_SAMPLES = 512;

  /**
   * Least ratio of two queueing delays, the lesser over the greater, at which both may stem from
   * the same queue.
   */
  private static final double ALIKE = 0.5;

  /** Stands for a count where no receiver behind the peer confirms bytes. */
  public static final long NOT_TOLD = -1;

  /**
   * Least share of the peer's received bytes that the final receiver confirms where the peer does
   * not buffer them.
   */
  private static final double PASSED_ON = 0.9;

  private final Supplier<Optional<TcpCounters>> counters;
  private volatile String congestionControl;
  private final long startNanos;
  private final List<Sample> samples = new ArrayList<>();
  private long intervalNanos = FIRST_INTERVAL_NANOS;

  /**
   * Sample of the counters.
   *
   * @param confirmedBytes what the final receiver had confirmed by then
   */
  private record Sample(long nanos, TcpCounters counters, long confirmedBytes) {
    SendingSample sending() {
      return new SendingSample(
          nanos,
          1_000 * counters.rttMicros(),
          counters.sentSegments(),
          counters.retransmittedSegments(),
          counters.arrivedBytes(),
          1_000 * counters.busyMicros(),
          1_000 * counters.receiverLimitedMicros(),
          1_000 * counters.senderLimitedMicros());
    }
  }

  ConnectionAccount(
      Supplier<Optional<TcpCounters>> counters, String congestionControl, long startNanos) {
    this.counters = counters;
    this.congestionControl = congestionControl;
    this.startNanos = startNanos;
  }

  /**
   * Begins the account of a connected socket over which nothing was sent; null where the system
   * does not count.
   *
   * @param nowNanos by {@link System#nanoTime}, as all times of an account
   */
  public static @Nullable ConnectionAccount of(KernelSocket socket, long nowNanos) {
    String control = socket.congestionControl().orElse(null);
    return control == null ? null : new ConnectionAccount(socket::counters, control, nowNanos);
  }

  /**
   * Samples the counters, if that is due, of a connection whose peer is the final receiver.
   *
   * @param nowNanos time of the sample
   */
  public void look(long nowNanos) {
    boolean _ = look(nowNanos, NOT_TOLD);
  }

  /**
   * Samples the counters, if that is due. A peer that is a relay may receive more than it forwards:
   * if less than nine tenths of the bytes sent into the first hop leave the last one, they fill
   * buffers and show no capacity.
   *
   * @param confirmedBytes what the receiver behind the last hop has confirmed so far
   * @return whether it was due
   */
  public synchronized boolean look(long nowNanos, long confirmedBytes) {
    if (!samples.isEmpty() && nowNanos - samples.getLast().nanos() < intervalNanos) {
      return false;
    }
    counters.get().ifPresent(now -> samples.add(new Sample(nowNanos, now, confirmedBytes)));
    if (samples.size() >= MOST_SAMPLES) {
      List<Sample> half = new ArrayList<>();
      for (int i = 1; i < samples.size(); i += 2) {
        half.add(samples.get(i));
      }
      samples.clear();
      samples.addAll(half);
      intervalNanos *= 2;
    }
    return true;
  }

  /** The connection has switched to another congestion control. */
  public void controlledBy(String name) {
    congestionControl = name;
  }

  /** Counters of the latest sample; null before the first. */
  public synchronized @Nullable TcpCounters latest() {
    return samples.isEmpty() ? null : samples.getLast().counters();
  }

  /** Bytes that the peer's kernel had acknowledged at the latest sample; 0 before the first. */
  public synchronized long arrivedBytes() {
    return samples.isEmpty() ? 0 : samples.getLast().counters().arrivedBytes();
  }

  /** Account up to the latest sample; null where nothing was counted. */
  public synchronized @Nullable TransferAccount account() {
    if (samples.isEmpty()) {
      return null;
    }
    Sample last = samples.getLast();
    TcpCounters now = last.counters();
    if (now.minRttMicros() == 0 || now.sentSegments() == 0 || last.nanos() <= startNanos) {
      return null;
    }
    SteadySending steady =
        SteadySending.of(startNanos, samples.stream().map(Sample::sending).toList()).orElse(null);
    return TransferAccount.builder()
        .seconds((last.nanos() - startNanos) / 1e9)
        .steadyBitsPerSecond(steady == null ? null : (Double) steady.bitsPerSecond())
        .sentSegments(now.sentSegments())
        .retransmittedSegments(now.retransmittedSegments())
        .steadySentSegments(steady == null ? null : (Long) steady.sentSegments())
        .steadyRetransmittedSegments(steady == null ? null : (Long) steady.retransmittedSegments())
        .minRttMillis(now.minRttMicros() / 1e3)
        .loadedRttMillis(steady == null ? null : (Double) (steady.rttNanos() / 1e6))
        .congestionControl(congestionControl)
        .limitedBy(
            steady == null
                ? limit(last.sending().limitSince(SendingSample.beginning(startNanos)))
                : limit(steady))
        .steadyLossEvents(steady == null ? null : (Long) steady.lossEvents())
        .build();
  }

  private TransferLimit limit(SteadySending steady) {
    if (isApplicationLimited(steady)) {
      return TransferLimit.APPLICATION;
    }
    return steady.limit() == SendingLimit.NETWORK && fillsBuffers(steady)
        ? TransferLimit.RECEIVER
        : limit(steady.limit());
  }

  private boolean fillsBuffers(SteadySending steady) {
    Sample last = samples.getLast();
    Sample first =
        samples.stream().filter(one -> one.nanos() >= steady.fromNanos()).findFirst().orElse(last);
    long confirmed = last.confirmedBytes() - first.confirmedBytes();
    long taken = last.counters().arrivedBytes() - first.counters().arrivedBytes();
    return last.confirmedBytes() != NOT_TOLD && confirmed < PASSED_ON * taken;
  }

  private static TransferLimit limit(SendingLimit limit) {
    return switch (limit) {
      case NETWORK -> TransferLimit.NETWORK;
      case RECEIVER -> TransferLimit.RECEIVER;
      case SENDER_BUFFER -> TransferLimit.SENDER_BUFFER;
      case APPLICATION -> TransferLimit.APPLICATION;
    };
  }

  /** Ignores the last round trip, in which nothing is left to send. */
  private boolean isApplicationLimited(SteadySending steady) {
    long untilNanos = samples.getLast().nanos() - steady.rttNanos();
    List<Sample> counted =
        samples.stream()
            .filter(one -> one.nanos() >= steady.fromNanos() && one.nanos() <= untilNanos)
            .toList();
    long limited = counted.stream().filter(one -> one.counters().applicationLimited()).count();
    return limited > SendingSample.LIMITED_SHARE * counted.size();
  }

  /**
   * Whether two connections that ran at the same time may have shared a queue, so that neither
   * shows a capacity. A shared queue adds the same delay to both, even if that is a small share of
   * one's long round trip.
   */
  public static boolean shareAQueue(
      @Nullable TransferAccount one, @Nullable TransferAccount other) {
    if (one == null || other == null) {
      return false;
    }
    boolean alike =
        Math.min(delayMillis(one), delayMillis(other))
            >= ALIKE * Math.max(delayMillis(one), delayMillis(other));
    return alike
        ? stoodInQueue(one) || stoodInQueue(other)
        : stoodInQueue(one) && stoodInQueue(other);
  }

  private static boolean stoodInQueue(TransferAccount account) {
    Double loaded = account.loadedRttMillis();
    return loaded != null && StandingQueue.stands(1e3 * loaded, 1e3 * account.minRttMillis());
  }

  /** Time that the load added to the round trip; 0 where it is unknown. */
  private static double delayMillis(TransferAccount account) {
    Double loaded = account.loadedRttMillis();
    return loaded == null ? 0 : Math.max(0, loaded - account.minRttMillis());
  }

  /** Returns the same account with another limit. */
  public static TransferAccount limitedBy(TransferAccount account, TransferLimit limit) {
    return TransferAccount.builder()
        .seconds(account.seconds())
        .steadyBitsPerSecond(account.steadyBitsPerSecond())
        .sentSegments(account.sentSegments())
        .retransmittedSegments(account.retransmittedSegments())
        .steadySentSegments(account.steadySentSegments())
        .steadyRetransmittedSegments(account.steadyRetransmittedSegments())
        .minRttMillis(account.minRttMillis())
        .loadedRttMillis(account.loadedRttMillis())
        .congestionControl(account.congestionControl())
        .limitedBy(limit)
        .steadyLossEvents(account.steadyLossEvents())
        .build();
  }
}
