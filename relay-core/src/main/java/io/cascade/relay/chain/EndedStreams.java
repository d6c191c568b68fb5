package io.cascade.relay.chain;

import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Sums over the streams of all chains that have ended since the relay started. */
public final class EndedStreams {
  private final Map<String, LongAdder> byReason = new ConcurrentHashMap<>();
  private final LongAdder forwardBytes = new LongAdder();
  private final LongAdder backwardBytes = new LongAdder();
  private final LongAdder splicedBytes = new LongAdder();
  private final Map<Direction, Stalls> stalls = new ConcurrentHashMap<>();

  void add(RelayStream stream, CloseReason reason) {
    byReason.computeIfAbsent(reason.code(), _ -> new LongAdder()).increment();
    forwardBytes.add(stream.bytesOut(Direction.FORWARD));
    backwardBytes.add(stream.bytesOut(Direction.BACKWARD));
    splicedBytes.add(stream.splicedBytes());
    for (Direction direction : Direction.values()) {
      stalls.merge(direction, stream.stalls(direction), Stalls::plus);
    }
  }

  /** Number of ended streams by the code of their reason. */
  public Map<String, Long> byReason() {
    Map<String, Long> counts = new TreeMap<>();
    byReason.forEach((reason, count) -> counts.put(reason, count.sum()));
    return counts;
  }

  /** Bytes that ended streams had spliced, in both directions. */
  public long splicedBytes() {
    return splicedBytes.sum();
  }

  /** Bytes that ended streams had passed on. */
  public long bytes(Direction direction) {
    return (direction == Direction.FORWARD ? forwardBytes : backwardBytes).sum();
  }

  /** Time that ended streams had waited. */
  public Stalls stalls(Direction direction) {
    return stalls.getOrDefault(direction, Stalls.NONE);
  }
}
