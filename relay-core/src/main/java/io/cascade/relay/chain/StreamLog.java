package io.cascade.relay.chain;

import io.cascade.api.relay.StreamReport;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of one chain at this relay: those that run, the last that ended, and the sums. */
final class StreamLog {
  private static final int REMEMBERED = 256;

  private final Set<RelayStream> running = ConcurrentHashMap.newKeySet();
  private final ArrayDeque<StreamReport> ended = new ArrayDeque<>();
  private StreamSums past = StreamSums.NONE;
  private int admitted;

  /**
   * Whether one more may run; if so it follows.
   *
   * @param most at a time
   */
  synchronized boolean admit(int most) {
    if (admitted >= most) {
      return false;
    }
    admitted++;
    return true;
  }

  synchronized void opened(RelayStream stream) {
    running.add(stream);
  }

  synchronized void ended(RelayStream stream, CloseReason reason) {
    if (!running.remove(stream)) {
      return;
    }
    admitted--;
    past = past.plusEnded(stream, reason);
    if (ended.size() == REMEMBERED) {
      ended.removeFirst();
    }
    ended.addLast(stream.report());
  }

  Set<RelayStream> running() {
    return running;
  }

  /** Newest last. */
  synchronized List<StreamReport> reports() {
    List<StreamReport> all = new ArrayList<>(ended);
    for (RelayStream stream : running) {
      all.add(stream.report());
    }
    return all;
  }

  synchronized StreamSums sums() {
    StreamSums sums = past;
    for (RelayStream stream : running) {
      sums = sums.plusRunning(stream);
    }
    return sums;
  }
}
