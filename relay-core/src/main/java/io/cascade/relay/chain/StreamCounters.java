package io.cascade.relay.chain;

import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the streams of all chains, and those without a chain, since the relay started: ended and
 * running ones. Thread-safe.
 */
public final class StreamCounters {
  private final ChainRegistry registry;
  private final StreamLog direct;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder shed = new LongAdder();
  private final LongAdder shedForDescriptors = new LongAdder();
  private final LongAdder refusedSources = new LongAdder();
  private final EndedStreams ended = new EndedStreams();

  /**
   * @param direct the streams that pass through no chain
   */
  StreamCounters(ChainRegistry registry, StreamLog direct) {
    this.registry = registry;
    this.direct = direct;
  }

  /**
   * Counts one more running stream.
   *
   * @return false where {@code most} already run; then it is not counted
   */
  boolean begin(int most) {
    if (running.incrementAndGet() > most) {
      running.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Undoes {@link #begin} for a stream that never ran. */
  void cancel() {
    running.decrementAndGet();
  }

  void end(RelayStream stream, CloseReason reason) {
    running.decrementAndGet();
    ended.add(stream, reason);
  }

  void shed() {
    shed.increment();
  }

  void shedForDescriptors() {
    shedForDescriptors.increment();
  }

  void refusedSource() {
    refusedSources.increment();
  }

  /** Streams that run now. */
  public int runningStreams() {
    return running.get();
  }

  /** Streams that were reset at once because a limit was reached. */
  public long shedStreams() {
    return shed.sum();
  }

  /** Streams that were reset at once because the relay was nearly out of file descriptors. */
  public long streamsShedForDescriptors() {
    return shedForDescriptors.sum();
  }

  /** Streams that were reset at once because their chains accept none from the client's address. */
  public long streamsOfRefusedSources() {
    return refusedSources.sum();
  }

  /** Sums over the streams that have ended. */
  public EndedStreams ended() {
    return ended;
  }

  /** Bytes passed on in one direction. */
  public long bytes(Direction direction) {
    long sum = ended.bytes(direction);
    for (RelayStream stream : streams()) {
      sum += stream.bytesOut(direction);
    }
    return sum;
  }

  /** The part of all passed-on bytes that was spliced. */
  public long splicedBytes() {
    long sum = ended.splicedBytes();
    for (RelayStream stream : streams()) {
      sum += stream.splicedBytes();
    }
    return sum;
  }

  /** Time that one direction has waited, by cause. */
  public Stalls stalls(Direction direction) {
    Stalls sum = ended.stalls(direction);
    for (RelayStream stream : streams()) {
      sum = sum.plus(stream.stalls(direction));
    }
    return sum;
  }

  /** The streams that run now. */
  List<RelayStream> streams() {
    List<RelayStream> all = new ArrayList<>(direct.running());
    for (InstalledChain chain : registry.all()) {
      all.addAll(chain.streams().running());
    }
    return all;
  }
}
