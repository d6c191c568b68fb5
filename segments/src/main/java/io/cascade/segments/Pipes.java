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
   * @throws IllegalArgumentException where a pipe has the number
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

  /** A copy, so that pipes may be removed while it is walked. */
  List<Pipe> all() {
    return List.copyOf(pipes.values());
  }

  boolean isEmpty() {
    return pipes.isEmpty();
  }

  /** Whether one other than this carries and goes on doing so. */
  boolean hasOtherThan(Pipe pipe) {
    return pipes.values().stream()
        .anyMatch(other -> other != pipe && other.flight().state() == PipeState.ACTIVE);
  }

  /** Whether the peer ended one because the stream is complete. */
  boolean anyEndedByPeer() {
    return pipes.values().stream().anyMatch(pipe -> pipe.isPeerEnded() && !pipe.isLeaving());
  }

  /** Tells the peer over every pipe what has come. */
  void acknowledgeOnAll() {
    pipes.values().forEach(Pipe::acknowledge);
  }

  /** Notes a dead pipe for the caller, who resets its connection. */
  void drop(Pipe pipe, String why) {
    dropped.add(new SegmentStream.Dropped(pipe.number(), why));
  }

  /** Pipes that were dropped since this was last called. */
  List<SegmentStream.Dropped> takeDropped() {
    List<SegmentStream.Dropped> taken = List.copyOf(dropped);
    dropped.clear();
    return taken;
  }
}
