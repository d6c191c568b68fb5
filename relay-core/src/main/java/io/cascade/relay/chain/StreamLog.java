package io.cascade.relay.chain;

import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamTotals;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The streams of one chain at this relay: those that run, the last that ended, and the sums. */
final class StreamLog {
  private static final int REMEMBERED = 256;

  private final Set<RelayStream> running = ConcurrentHashMap.newKeySet();
  private final ArrayDeque<StreamReport> ended = new ArrayDeque<>();
  private final Map<String, Long> failures = new TreeMap<>();
  private long opened;
  private long completed;
  private long failed;
  private long forwardBytes;
  private long backwardBytes;

  synchronized void opened(RelayStream stream) {
    running.add(stream);
    opened++;
  }

  synchronized void ended(RelayStream stream, CloseReason reason) {
    if (!running.remove(stream)) {
      return;
    }
    forwardBytes += stream.bytesOut(Direction.FORWARD);
    backwardBytes += stream.bytesOut(Direction.BACKWARD);
    if (reason instanceof CloseReason.Completed) {
      completed++;
    } else {
      failed++;
      failures.merge(reason.code(), 1L, Long::sum);
    }
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

  synchronized StreamTotals totals() {
    long forward = forwardBytes;
    long backward = backwardBytes;
    for (RelayStream stream : running) {
      forward += stream.bytesOut(Direction.FORWARD);
      backward += stream.bytesOut(Direction.BACKWARD);
    }
    @Nullable Map<String, Long> reasons = failures.isEmpty() ? null : Map.copyOf(failures);
    return new StreamTotals(
        (long) running.size(), opened, completed, failed, forward, backward, reasons);
  }
}
