package io.cascade.packets.pipes;

import io.cascade.packets.header.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The pipes to the far side, which all connections share. What the source calls find_pipes and
 * get_pipe_properties is answered here; a connection's own set is kept in its record.
 */
public final class Pipes {
  /** More uplinks than a machine has. */
  public static final int MOST = 16;

  private static final Comparator<Pipe> QUICKEST =
      Comparator.<Pipe>comparingLong(pipe -> pipe.properties().roundTripNanos())
          .thenComparing(Pipe::id);

  private final List<Pipe> pipes = new ArrayList<>();

  /**
   * @param properties of each pipe, in the order of their numbers; 1 to 16
   */
  public Pipes(List<PipeProperties> properties) {
    if (properties.isEmpty() || properties.size() > MOST) {
      throw new IllegalArgumentException(
          "pipes: " + properties.size() + " (expected: 1 to " + MOST + ")");
    }
    for (PipeProperties each : properties) {
      pipes.add(new Pipe(new PipeId(pipes.size()), each));
    }
  }

  public int count() {
    return pipes.size();
  }

  /** All of them, in the order of their numbers. */
  public List<Pipe> all() {
    return List.copyOf(pipes);
  }

  /** Those that may be used now, in the order of their numbers. */
  public List<Pipe> usable() {
    return pipes.stream().filter(Pipe::usable).toList();
  }

  /** The usable pipe of the least round trip; where none is usable, the quickest of all. */
  public Pipe quickest() {
    return pipes.stream()
        .filter(Pipe::usable)
        .min(QUICKEST)
        .orElseGet(() -> pipes.stream().min(QUICKEST).orElseThrow());
  }

  /** The pipes that a policy leaves to a connection; the quickest where it leaves none. */
  public PipeSet select(PipeSelection policy, IpAddress near, IpAddress far) {
    List<Pipe> left = policy.select(usable(), near, far);
    return new PipeSet(this, left.isEmpty() ? List.of(quickest()) : left);
  }

  /** Takes a pipe out of use, or puts it to use again. */
  public void become(PipeId pipe, boolean usable) {
    pipes.get(pipe.number()).become(usable);
  }

  /** The quickest of some. */
  public static Pipe quickest(List<Pipe> some) {
    return some.stream().min(QUICKEST).orElseThrow();
  }
}
