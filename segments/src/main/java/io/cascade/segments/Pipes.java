package io.cascade.segments;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pipes of one stream by number, in the order in which they joined. */
final class Pipes {
  private final Map<Integer, Pipe> pipes = new LinkedHashMap<>();
  private final List<SegmentStream.Dropped> dropped = new ArrayList<>();

  /**
   * @throws IllegalArgumentException if a pipe has the number
   */
  void requireNew(int number) {
    if (pipes.containsKey(number)) {
      throw new IllegalArgumentException("pipe " + number + " is there");
    }
  }

  void add(Pipe pipe) {
    pipes.put(pipe.number(), pipe);
  }

  @Nullable Pipe get(int number) {
    return pipes.get(number);
  }

  @Nullable Pipe remove(int number) {
    return pipes.remove(number);
  }

  /** A copy, so that pipes may be removed while iterating. */
  List<Pipe> all() {
    return List.copyOf(pipes.values());
  }

  boolean isEmpty() {
    return pipes.isEmpty();
  }

  /** Whether another pipe carries the stream and continues to. */
  boolean hasOtherThan(Pipe pipe) {
    return pipes.values().stream()
        .anyMatch(other -> other != pipe && other.flight().state() == PipeState.ACTIVE);
  }

  /** Whether the peer ended one because the stream is complete. */
  boolean anyEndedByPeer() {
    return pipes.values().stream().anyMatch(pipe -> pipe.isPeerEnded() && !pipe.isLeaving());
  }

  /** Makes acknowledgements due over every pipe. */
  void acknowledgeOnAll() {
    pipes.values().forEach(Pipe::acknowledge);
  }

  /** Records a dropped pipe for the caller, which resets its connection. */
  void drop(Pipe pipe, String why) {
    dropped.add(new SegmentStream.Dropped(pipe.number(), why));
  }

  /** Pipes that were dropped since the last call. */
  List<SegmentStream.Dropped> takeDropped() {
    List<SegmentStream.Dropped> taken = List.copyOf(dropped);
    dropped.clear();
    return taken;
  }
}
