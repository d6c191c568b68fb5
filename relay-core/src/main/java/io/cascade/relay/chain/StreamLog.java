package io.cascade.relay.chain;

import io.cascade.api.relay.StreamReport;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The streams of one chain at this relay: the running ones, the last ended ones, and the sums.
 *
 * <p>Event loops open and end streams while other threads read. Only one step must be atomic: an
 * ending stream moves from the running ones to the past. So readers copy both under the lock, and
 * query the streams, which makes system calls, after releasing it.
 */
final class StreamLog {
  private static final int REMEMBERED = 256;

  private final AtomicInteger admitted = new AtomicInteger();
  private final Set<RelayStream> running = ConcurrentHashMap.newKeySet();
  private final ArrayDeque<StreamReport> ended = new ArrayDeque<>();
  private StreamSums past = StreamSums.NONE;

  /**
   * A consistent view at one moment.
   *
   * @param past sums over all streams that no longer run
   * @param ended the last of them, newest last
   */
  private record Moment(List<RelayStream> running, StreamSums past, List<StreamReport> ended) {}

  /**
   * Admits one more stream, which {@link #cancel} or the stream itself follows.
   *
   * @param most concurrent streams
   */
  boolean admit(int most) {
    return admitted.getAndUpdate(now -> now < most ? now + 1 : now) < most;
  }

  /** Undoes {@link #admit} for a stream that does not follow. */
  void cancel() {
    admitted.decrementAndGet();
  }

  void opened(RelayStream stream) {
    running.add(stream);
  }

  void ended(RelayStream stream, CloseReason reason) {
    StreamReport report = stream.report();
    synchronized (this) {
      if (!running.remove(stream)) {
        return;
      }
      past = past.plusEnded(stream, reason);
      if (ended.size() == REMEMBERED) {
        ended.removeFirst();
      }
      ended.addLast(report);
    }
    admitted.decrementAndGet();
  }

  Set<RelayStream> running() {
    return running;
  }

  /** Reports of ended streams, newest last. */
  List<StreamReport> reports() {
    Moment moment = look();
    List<StreamReport> all = new ArrayList<>(moment.ended());
    for (RelayStream stream : moment.running()) {
      all.add(stream.report());
    }
    return all;
  }

  /** Counts every stream once: one that ends meanwhile reports its final counts. */
  StreamSums sums() {
    Moment moment = look();
    StreamSums sums = moment.past();
    for (RelayStream stream : moment.running()) {
      sums = sums.plusRunning(stream);
    }
    return sums;
  }

  private synchronized Moment look() {
    return new Moment(List.copyOf(running), past, List.copyOf(ended));
  }
}
